from pathlib import Path

import pytest

from aml.ledger.errors import LogForked, LogWentBack, SignerKeyInvalid
from aml.ledger.signer import Signer
from aml.rules.checkpoint import open_checkpoint, parse_verifier_key
from aml.rules.merkle import Frontier, leaf_hash

ORIGIN = "log.example.org/aml"


def grown(size: int, salt: str = "") -> Frontier:
    frontier = Frontier()
    for n in range(size):
        frontier.append(leaf_hash(f"{salt}{n}".encode()))
    return frontier


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "signer/log.key"


def test_the_key_is_made_once_for_the_owner_alone(key_file: Path) -> None:
    first = Signer.from_file(key_file, ORIGIN)
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert Signer.from_file(key_file, ORIGIN).key == first.key
    assert parse_verifier_key(Path(f"{key_file}.pub").read_text()) == first.key


def test_a_checkpoint_verifies_with_the_published_key(key_file: Path) -> None:
    note = Signer.from_file(key_file, ORIGIN).sign(grown(5))
    checkpoint = open_checkpoint(note, parse_verifier_key(Path(f"{key_file}.pub").read_text()))
    assert (checkpoint.origin, checkpoint.size, checkpoint.root) == (ORIGIN, 5, grown(5).root())


def test_what_was_signed_survives_a_restart(key_file: Path) -> None:
    Signer.from_file(key_file, ORIGIN).sign(grown(5))
    again = Signer.from_file(key_file, ORIGIN)
    assert (again.last_signed().size, again.last_signed().root()) == (5, grown(5).root())


def test_it_does_not_go_back(key_file: Path) -> None:
    Signer.from_file(key_file, ORIGIN).sign(grown(5))
    with pytest.raises(LogWentBack, match="holds 4 entries, but 5 were signed"):
        Signer.from_file(key_file, ORIGIN).sign(grown(4))


def test_it_does_not_sign_two_roots_of_one_size(key_file: Path) -> None:
    signer = Signer.from_file(key_file, ORIGIN)
    signer.sign(grown(5))
    with pytest.raises(LogForked, match="another root"):
        signer.sign(grown(5, salt="fork"))


def test_the_same_head_may_be_signed_again_after_a_crash(key_file: Path) -> None:
    signer = Signer.from_file(key_file, ORIGIN)
    assert signer.sign(grown(5)) == signer.sign(grown(5))


def test_a_key_that_others_may_read_is_refused(key_file: Path) -> None:
    Signer.from_file(key_file, ORIGIN)
    key_file.chmod(0o644)
    with pytest.raises(SignerKeyInvalid, match="chmod 600"):
        Signer.from_file(key_file, ORIGIN)


def test_a_key_of_another_log_is_refused(key_file: Path) -> None:
    Signer.from_file(key_file, ORIGIN)
    with pytest.raises(SignerKeyInvalid, match="is the key of the log"):
        Signer.from_file(key_file, "other.example.org")


@pytest.mark.parametrize("text", ["", "nonsense", f"PRIVATE+KEY+{ORIGIN}+00000000+AAAA", f"PRIVATE+KEY+{ORIGIN}+0+?"])
def test_a_file_that_is_no_key_is_refused(key_file: Path, text: str) -> None:
    Signer.from_file(key_file, ORIGIN)
    key_file.write_text(text)
    with pytest.raises(SignerKeyInvalid):
        Signer.from_file(key_file, ORIGIN)


@pytest.mark.parametrize("change", [("5", "6"), ("{", "["), (ORIGIN, "other")])
def test_a_damaged_memory_is_refused(key_file: Path, change: tuple[str, str]) -> None:
    signer = Signer.from_file(key_file, ORIGIN)
    signer.sign(grown(5))
    state = Path(f"{key_file}.state")
    state.write_text(state.read_text().replace(*change))
    with pytest.raises(SignerKeyInvalid):
        signer.last_signed()


def test_no_scratch_file_is_left(key_file: Path) -> None:
    Signer.from_file(key_file, ORIGIN).sign(grown(5))
    assert sorted(each.name for each in key_file.parent.iterdir()) == [
        *("log.key", "log.key.keys", "log.key.pub", "log.key.state")
    ]
