"""The key-encryption key wraps data keys, and shows itself nowhere."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.key_encryption import (
    KEY_BYTES,
    KeyEncryptionKey,
    SealBroken,
    WrongKeyEncryptionKey,
    key_file_text,
    read_key_file,
    version_of,
)
from aml.runtime.settings import SettingsError

KEY = bytes(range(32))


@given(st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES))
def test_a_wrapped_key_opens_again(data_key: bytes) -> None:
    kek = KeyEncryptionKey(KEY)
    assert kek.unwrap(kek.wrap(data_key), job_id="job-1") == data_key
    assert data_key not in kek.wrap(data_key)


def test_another_key_does_not_open_it_and_the_job_is_named() -> None:
    wrapped = KeyEncryptionKey(KEY).wrap(b"d" * KEY_BYTES)
    with pytest.raises(WrongKeyEncryptionKey, match="job-1"):
        KeyEncryptionKey(bytes(32)).unwrap(wrapped, job_id="job-1")


def test_each_purpose_has_a_key_of_its_own() -> None:
    kek = KeyEncryptionKey(KEY)
    assert len({kek.derive(b"vault"), kek.derive(b"data-keys"), KEY}) == 3
    assert kek.derive(b"vault") == KeyEncryptionKey(KEY).derive(b"vault")


def test_it_is_read_from_a_file_of_hex_digits(tmp_path: Path) -> None:
    (tmp_path / "kek").write_text(KEY.hex() + "\n")
    assert KeyEncryptionKey.from_file(tmp_path / "kek").derive(b"x") == KeyEncryptionKey(KEY).derive(b"x")


@pytest.mark.parametrize("content", ["", "abcd", "zz" * 32, KEY.hex() + "00"])
def test_an_unusable_file_is_an_error_of_the_variable_that_names_it(tmp_path: Path, content: str) -> None:
    (tmp_path / "kek").write_text(content)
    with pytest.raises(SettingsError, match=r"^AML_EVIDENCE_KEK_FILE ") as caught:
        KeyEncryptionKey.from_file(tmp_path / "kek")
    assert str(tmp_path / "kek") in str(caught.value)


def test_a_missing_file_is_one_too(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^AML_EVIDENCE_KEK_FILE "):
        KeyEncryptionKey.from_file(tmp_path / "nowhere")


def test_its_representation_hides_it() -> None:
    assert KEY.hex() not in repr(KeyEncryptionKey(KEY))
    assert repr(KEY)[2:-1] not in repr(KeyEncryptionKey(KEY))


TWO = {1: KEY, 2: bytes(reversed(KEY))}


def test_the_last_version_wraps_and_every_one_opens() -> None:
    old, both = KeyEncryptionKey(KEY), KeyEncryptionKey(TWO)
    wrapped = old.wrap(b"d" * KEY_BYTES)
    assert (version_of(wrapped), version_of(both.wrap(b"d" * KEY_BYTES))) == (1, 2)
    assert both.unwrap(wrapped, job_id="job-1") == b"d" * KEY_BYTES
    with pytest.raises(WrongKeyEncryptionKey):
        old.unwrap(both.wrap(b"d" * KEY_BYTES), job_id="job-1")


def test_a_key_wrapped_before_versions_is_of_the_first() -> None:
    kek = KeyEncryptionKey(KEY)
    bare = kek.wrap(b"d" * KEY_BYTES)[4:]
    assert version_of(bare) == 1
    assert kek.unwrap(bare, job_id="job-1") == b"d" * KEY_BYTES


def test_what_is_sealed_opens_under_its_version_and_only_where_it_belongs() -> None:
    sealed = KeyEncryptionKey(KEY).seal(b"vault", b"secret", b"here")
    assert KeyEncryptionKey(TWO).open_sealed(b"vault", sealed, b"here") == (1, b"secret")
    for purpose, bound_to in ((b"vault", b"there"), (b"other", b"here")):
        with pytest.raises(SealBroken):
            KeyEncryptionKey(TWO).open_sealed(purpose, sealed, bound_to)


def test_a_running_process_learns_of_a_new_version(tmp_path: Path) -> None:
    file = tmp_path / "kek"
    file.write_text(KEY.hex())
    running = KeyEncryptionKey.from_file(file)
    file.write_text(key_file_text(TWO))
    wrapped = KeyEncryptionKey.from_file(file).wrap(b"d" * KEY_BYTES)

    assert running.unwrap(wrapped, job_id="job-1") == b"d" * KEY_BYTES
    assert running.versions == (1, 2)


def test_a_file_that_is_broken_meanwhile_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kek"
    file.write_text(key_file_text(TWO))
    running = KeyEncryptionKey.from_file(file)
    for ruin in (lambda: file.write_text("half a ke"), file.unlink):
        ruin()
        assert running.versions == (1, 2)


@pytest.mark.parametrize("content", [f"1 {KEY.hex()}\n1 {KEY.hex()}", f"0 {KEY.hex()}", f"x {KEY.hex()}", "2 abcd"])
def test_a_line_that_is_no_version_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "kek").write_text(content)
    with pytest.raises(SettingsError, match=r"^AML_EVIDENCE_KEK_FILE "):
        read_key_file(tmp_path / "kek")
