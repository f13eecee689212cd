"""The key-encryption key wraps data keys, and shows itself nowhere."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.key_encryption import KEY_BYTES, KeyEncryptionKey, WrongKeyEncryptionKey
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
