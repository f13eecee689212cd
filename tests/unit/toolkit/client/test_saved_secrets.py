from pathlib import Path

import pytest

from aml.toolkit.client.saved_secrets import SavedSecrets, can_save, read_secret, require_free, save_secret
from aml.toolkit.evaluation.errors import WrongUsage


def test_what_is_saved_is_read_again_and_by_its_owner_alone(tmp_path: Path) -> None:
    file = SavedSecrets(tmp_path / "config").key_file("https://board.example.org:8443/x")

    save_secret(file, "aml_p_1")
    save_secret(file, "aml_p_2")

    assert read_secret(file, "--key-file") == "aml_p_2"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_platforms_are_kept_apart_and_no_name_leaves_the_folder(tmp_path: Path) -> None:
    secrets = SavedSecrets(tmp_path)

    assert secrets.key_file("http://a:1") != secrets.key_file("http://a:2")
    for hostile in ("http://../../etc", "http://a/../b", "http://u@x"):
        assert secrets.key_file(hostile).resolve().is_relative_to(tmp_path)
    for name in ("../key", "", "a/b", "a\n"):
        with pytest.raises(WrongUsage):
            secrets.token_file("http://a", name)


@pytest.mark.parametrize("content", [b"", b"two words", b"two\nlines", b"\xff\xfe", b"x" * 5000])
def test_what_is_no_key_is_refused_without_being_repeated(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)

    with pytest.raises(WrongUsage, match="holds no key") as raised:
        read_secret(file, "--key-file")
    assert "words" not in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="cannot be read"):
        read_secret(tmp_path / "none", "--key-file")


def test_a_kept_secret_is_not_replaced_by_another_ones(tmp_path: Path) -> None:
    save_secret(tmp_path / "key", "a")

    with pytest.raises(WrongUsage, match="move it away"):
        require_free(tmp_path / "key", "--save")


def test_a_folder_that_cannot_be_made_is_found_before_anything_is_shown_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(WrongUsage, match="cannot be made"):
        can_save(tmp_path / "file" / "host" / "key", "--save")
