from pathlib import Path

import pytest

from aml.ledger.errors import SignerKeyInvalid
from aml.ledger.log_keys import finish_rotation, generate_keys, published_keys, read_keys, rotate_keys
from aml.ledger.signer import Signer
from aml.rules.checkpoint import NoteInvalid, VerifierKey, open_checkpoint, parse_note, parse_verifier_key
from aml.rules.merkle import Frontier, leaf_hash

ORIGIN = "log.example.org/aml"


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "log.key"


def a_note(key_file: Path, size: int) -> str:
    frontier = Frontier()
    for n in range(size):
        frontier.append(leaf_hash(b"%d" % n))
    return Signer.from_file(key_file, ORIGIN).sign(frontier)


def shown(key_file: Path) -> VerifierKey:
    return parse_verifier_key(Path(f"{key_file}.pub").read_text())


def test_in_a_rotation_both_keys_sign_and_readers_of_either_are_content(key_file: Path) -> None:
    old = generate_keys(key_file, ORIGIN)[0].key
    a_note(key_file, 3)
    new = rotate_keys(key_file, ORIGIN)[0].key

    note = a_note(key_file, 4)

    assert [each.key_id for each in parse_note(note).signatures] == [new.key_id, old.key_id]
    assert open_checkpoint(note, old) == open_checkpoint(note, new)
    assert shown(key_file) == new
    assert published_keys(key_file) == (new, old)


def test_after_a_rotation_the_old_key_signs_no_more_and_stays_published(key_file: Path) -> None:
    old = generate_keys(key_file, ORIGIN)[0].key
    before = a_note(key_file, 3)
    new = rotate_keys(key_file, ORIGIN)[0].key
    finish_rotation(key_file, ORIGIN)

    note = a_note(key_file, 4)

    assert open_checkpoint(note, new).size == 4
    with pytest.raises(NoteInvalid):
        open_checkpoint(note, old)
    assert open_checkpoint(before, published_keys(key_file)[1]).size == 3
    assert len(read_keys(key_file, ORIGIN)) == 1
    assert key_file.stat().st_mode & 0o777 == 0o600


def test_a_running_signer_notices_a_rotation(key_file: Path) -> None:
    signer = Signer.from_file(key_file, ORIGIN)
    old = signer.key
    frontier = Frontier()
    frontier.append(leaf_hash(b"0"))
    assert len(parse_note(signer.sign(frontier)).signatures) == 1

    new = rotate_keys(key_file, ORIGIN)[0].key
    frontier.append(leaf_hash(b"1"))
    both = parse_note(signer.sign(frontier)).signatures
    finish_rotation(key_file, ORIGIN)
    frontier.append(leaf_hash(b"2"))
    alone = parse_note(signer.sign(frontier)).signatures

    assert [each.key_id for each in both] == [new.key_id, old.key_id]
    assert [each.key_id for each in alone] == [new.key_id]
    assert signer.key == new
    assert signer.every_key() == (new, old)


def test_a_key_is_published_before_it_signs(key_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate_keys(key_file, ORIGIN)
    before = key_file.read_text()

    def crash(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("aml.ledger.log_keys.replace_private_file", crash)
        with pytest.raises(OSError, match="No space"):
            rotate_keys(key_file, ORIGIN)
    assert key_file.read_text() == before


def test_rotations_do_not_overlap(key_file: Path) -> None:
    generate_keys(key_file, ORIGIN)
    with pytest.raises(SignerKeyInvalid, match="in no rotation"):
        finish_rotation(key_file, ORIGIN)
    rotate_keys(key_file, ORIGIN)
    with pytest.raises(SignerKeyInvalid, match="in a rotation already"):
        rotate_keys(key_file, ORIGIN)


def test_what_was_signed_is_remembered_across_a_rotation(key_file: Path) -> None:
    generate_keys(key_file, ORIGIN)
    a_note(key_file, 5)
    rotate_keys(key_file, ORIGIN)
    finish_rotation(key_file, ORIGIN)
    assert Signer.from_file(key_file, ORIGIN).last_signed().size == 5


def test_a_missing_file_and_a_damaged_list_are_named(key_file: Path) -> None:
    with pytest.raises(SignerKeyInvalid, match="cannot be read: FileNotFoundError"):
        read_keys(key_file, ORIGIN)
    assert published_keys(key_file) == ()
    generate_keys(key_file, ORIGIN)
    Path(f"{key_file}.keys").write_text("nonsense\n")
    with pytest.raises(SignerKeyInvalid, match="damaged"):
        published_keys(key_file)


def test_a_key_does_not_show_itself(key_file: Path) -> None:
    found = generate_keys(key_file, ORIGIN)[0]
    secret = key_file.read_text().strip().split("+", 4)[4]  # its base64 may hold a `+`, too
    assert secret
    assert secret not in repr(found)
