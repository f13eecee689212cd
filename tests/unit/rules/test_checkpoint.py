from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from aml.rules.checkpoint import (
    Checkpoint,
    NoteInvalid,
    VerifierKey,
    checkpoint_text,
    open_checkpoint,
    parse_checkpoint,
    parse_note,
    parse_verifier_key,
    sign_note,
    verify_note,
)
from aml.rules.merkle import EMPTY_ROOT, Frontier

LOG = Path(__file__).parents[3] / "../shared/vectors/tessera_log"
LOG_KEY = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"
needs_vectors = pytest.mark.skipif(not LOG.is_dir(), reason=f"{LOG} is not here")

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = VerifierKey(name="log.example.org/aml", public_key=PRIVATE.public_key().public_bytes_raw())
ROOT = Frontier(1, [bytes(range(32))]).root()


def a_note(size: int = 7, key: VerifierKey = KEY) -> str:
    text = checkpoint_text(Checkpoint(origin=key.name, size=size, root=ROOT))
    return sign_note(text, key, PRIVATE.sign)


@needs_vectors
@pytest.mark.parametrize("size", range(16))
def test_checkpoints_of_another_implementation(size: int) -> None:
    note = (LOG / f"checkpoint.{size}").read_text("utf-8")
    checkpoint = open_checkpoint(note, parse_verifier_key(LOG_KEY))
    assert checkpoint.size == size
    tile = LOG / f"tile/0/000.p/{size}"
    hashes = tile.read_bytes() if size else b""
    frontier = Frontier()
    for at in range(0, len(hashes), 32):
        frontier.append(hashes[at : at + 32])
    assert (frontier.size, frontier.root()) == (size, checkpoint.root)
    assert checkpoint_text(checkpoint) == parse_note(note).text


def test_what_was_signed_is_read_back() -> None:
    assert open_checkpoint(a_note(), KEY) == Checkpoint(origin=KEY.name, size=7, root=ROOT)


def test_the_verifier_key_is_read_back() -> None:
    assert parse_verifier_key(f"{KEY}\n") == KEY


def test_a_second_signature_line_of_a_stranger_is_ignored() -> None:
    stranger = VerifierKey(name="witness.example.org", public_key=bytes(32))
    line = sign_note("x\n", stranger, lambda _: bytes(64)).splitlines()[-1]
    assert open_checkpoint(f"{a_note()}{line}\n", KEY).size == 7


def test_an_unknown_signer_alone_proves_nothing() -> None:
    other = VerifierKey(name=KEY.name, public_key=bytes(32))
    with pytest.raises(NoteInvalid, match="no signature of a known key"):
        verify_note(a_note(), [other])


def test_a_changed_text_is_refused() -> None:
    with pytest.raises(NoteInvalid, match=r"signature of log\.example\.org/aml is wrong"):
        open_checkpoint(a_note().replace("\n7\n", "\n8\n"), KEY)


def test_a_wrong_signature_beside_a_right_one_of_the_same_key_is_refused() -> None:
    forged = sign_note("x\n", KEY, lambda _: bytes(64)).splitlines()[-1]
    with pytest.raises(NoteInvalid, match="is wrong"):
        open_checkpoint(f"{a_note()}{forged}\n", KEY)


def test_a_checkpoint_of_another_log_is_refused() -> None:
    text = checkpoint_text(Checkpoint(origin="other.example.org", size=1, root=ROOT))
    with pytest.raises(NoteInvalid, match="is of the log other"):
        open_checkpoint(sign_note(text, KEY, PRIVATE.sign), KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "origin\n1\n",
        "origin\n01\nAAAA\n",
        "origin\n-1\nAAAA\n",
        "origin\n1\nAAAA\n",
        "origin\n1\n????\n",
        "origin\n\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "origin\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ],
)
def test_malformed_checkpoints_are_refused(text: str) -> None:
    with pytest.raises(NoteInvalid):
        parse_checkpoint(text)


@pytest.mark.parametrize(
    "note",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name AAAA\n",
        "text\n\nname AAAAAAAA\n",
        "t\x01\n\n— a AAAAAAAA\n",
    ],
)
def test_malformed_notes_are_refused(note: str) -> None:
    with pytest.raises(NoteInvalid):
        parse_note(note)


@pytest.mark.parametrize(
    "text", ["", "name", "name+00000000", f"{LOG_KEY[:-8]}", LOG_KEY.replace("33d7b496", "33d7b497")]
)
def test_malformed_verifier_keys_are_refused(text: str) -> None:
    with pytest.raises(NoteInvalid):
        parse_verifier_key(text)


def test_extension_lines_are_kept() -> None:
    checkpoint = Checkpoint(origin="o", size=0, root=EMPTY_ROOT, extensions=("one", "two"))
    assert parse_checkpoint(checkpoint_text(checkpoint)) == checkpoint
