import pytest

from aml.toolkit.evaluation.auth_choice import AuthChoice, choose_auth, read_key
from aml.toolkit.evaluation.errors import WrongUsage


@pytest.mark.parametrize("scheme", ["bearer", "token", "x-api-key"])
def test_a_scheme_and_a_variable(scheme: str) -> None:
    choice = choose_auth(f"{scheme}:MEMORY_KEY")

    assert (choice.scheme, choice.variable) == (scheme, "MEMORY_KEY")
    key = read_key(choice, {"MEMORY_KEY": "k-123"})
    assert key is not None
    assert key.reveal() == "k-123"


def test_none_needs_no_variable() -> None:
    assert choose_auth("none") == AuthChoice(scheme="none")
    assert read_key(AuthChoice(scheme="none"), {}) is None


@pytest.mark.parametrize(
    "text", ["", "bearer", "basic:KEY", "bearer:", "bearer:sk-live-42", "bearer:sk_live_42", "sk-live-42"]
)
def test_what_may_be_a_key_is_never_repeated(text: str) -> None:
    with pytest.raises(WrongUsage, match="--auth: ") as raised:
        choose_auth(text)
    assert "42" not in str(raised.value)


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(WrongUsage, match="MEMORY_KEY is not set"):
        read_key(choose_auth("bearer:MEMORY_KEY"), {})


@pytest.mark.parametrize("value", ["", "k-42\n", "k-42\x00", " k-42"])
def test_a_key_that_no_header_carries_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(WrongUsage, match="the key in MEMORY_KEY") as raised:
        read_key(choose_auth("bearer:MEMORY_KEY"), {"MEMORY_KEY": value})
    assert "42" not in str(raised.value)
