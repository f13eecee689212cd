from pathlib import Path

import pytest

from aml.toolkit.cli.platform_access import address, caller, confirmed, token
from aml.toolkit.client.saved_secrets import SavedSecrets, save_secret
from aml.toolkit.evaluation.errors import WrongUsage

URL = "https://board.example.org"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SavedSecrets:
    monkeypatch.setenv("AML_CONFIG", str(tmp_path))
    for name in ("AML_KEY", "AML_CLAIM_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return SavedSecrets(tmp_path)


def test_a_key_file_goes_over_the_variable_and_that_over_the_kept_one(
    saved: SavedSecrets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WrongUsage, match="AML_KEY is not set and no key is saved"):
        caller(URL, None)

    save_secret(saved.key_file(URL), "kept")
    found = caller(URL, None)
    assert (found.key, found.kept_in) == ("kept", saved.key_file(URL))

    monkeypatch.setenv("AML_KEY", "from-variable")
    found = caller(URL, None)
    assert (found.key, found.kept_in) == ("from-variable", None)

    save_secret(tmp_path / "mine", "from-file")
    assert caller(URL, tmp_path / "mine").key == "from-file"


def test_a_kept_key_goes_to_its_own_platform_only(saved: SavedSecrets) -> None:
    save_secret(saved.key_file(URL), "kept")

    with pytest.raises(WrongUsage):
        caller("https://other.example.org", None)


def test_a_variable_that_holds_no_key_is_refused_without_being_repeated(
    saved: SavedSecrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AML_KEY", "two words")

    with pytest.raises(WrongUsage, match="one word") as raised:
        caller(URL, None)
    assert "two" not in str(raised.value)


def test_a_token_is_found_by_the_id_it_was_given_for(saved: SavedSecrets, monkeypatch: pytest.MonkeyPatch) -> None:
    save_secret(saved.token_file(URL, "acc-1"), "claim_1")
    assert token(URL, "acc-1", None, "AML_CLAIM_TOKEN") == "claim_1"

    with pytest.raises(WrongUsage, match="no token is saved for acc-2"):
        token(URL, "acc-2", None, "AML_CLAIM_TOKEN")

    monkeypatch.setenv("AML_CLAIM_TOKEN", "claim_2")
    assert token(URL, "acc-2", None, "AML_CLAIM_TOKEN") == "claim_2"


@pytest.mark.parametrize("url", [None, "", "board.example.org", "ftp://x", "https://u:p@x", "http://", "http://["])
def test_an_address_that_is_none_is_wrong_usage(url: str | None) -> None:
    with pytest.raises(WrongUsage, match="--platform"):
        address(url)


def test_where_nobody_can_be_asked_a_confirmation_is_an_option() -> None:
    with pytest.raises(WrongUsage, match="--yes"):
        confirmed("sure?", yes=False)
    confirmed("sure?", yes=True)
