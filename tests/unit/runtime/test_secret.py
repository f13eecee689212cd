import copy
import json
import pickle
import traceback

import msgspec
import pytest

from aml.runtime.secret import MASK, Secret, SecretError

CANARY = 'ca"nary/7f3a+key'


def test_value_is_only_in_reveal() -> None:
    secret = Secret(CANARY)

    shown = [
        repr(secret),
        str(secret),
        f"{secret}",
        f"{secret:>30}",
        repr([secret]),
        repr({"k": secret}),
    ]

    assert secret.reveal() == CANARY
    assert all(CANARY not in text and "7f3a" not in text for text in shown)


@pytest.mark.parametrize("leak", [pickle.dumps, copy.copy, copy.deepcopy])
def test_is_neither_pickled_nor_copied(leak: object) -> None:
    with pytest.raises(TypeError) as error:
        leak(Secret(CANARY))  # type: ignore[operator]
    assert CANARY not in str(error.value)


def test_json_encoders_refuse_it() -> None:
    for encode in (json.dumps, msgspec.json.encode, msgspec.msgpack.encode):
        with pytest.raises(TypeError) as error:
            encode(Secret(CANARY))
        assert CANARY not in str(error.value)


@pytest.mark.parametrize(
    "value",
    ["", " key", "key ", "ke\ny", "ke\ry", "ke\x00y", "ke\ty", "ke\x7fy", "ke\x85y", "key\n", "ключ", "k" * 4097],
)
def test_what_is_no_header_value_is_refused_without_quoting_it(value: str) -> None:
    with pytest.raises(SecretError) as error:
        Secret(value)
    if len(value.strip()) > 3:
        assert value not in "".join(traceback.format_exception(error.value))


def test_every_spelling_is_redacted() -> None:
    secret = Secret(CANARY)
    text = f"{CANARY} {json.dumps(CANARY)} ca%22nary%2F7f3a%2Bkey Y2EibmFyeS83ZjNhK2tleQ=="

    redacted = secret.redact(text)

    assert redacted == f'{MASK} "{MASK}" {MASK} {MASK}'


def test_equal_by_value() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
