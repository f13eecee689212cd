from typing import get_args

import pytest

from aml.contracts.vocabulary import UnscoredReason
from aml.runtime.participant import errors
from aml.runtime.participant.errors import HttpRefused, Layer, ParticipantError, SchemaViolated

CLASSES = ParticipantError.__subclasses__()


def test_each_layer_has_one_class_and_stands_in_the_tree() -> None:
    assert sorted(kind.layer for kind in CLASSES) == sorted(get_args(Layer))
    for kind in CLASSES:
        assert f"{kind.__name__} " in (errors.__doc__ or "")


@pytest.mark.parametrize("kind", CLASSES)
def test_every_class_says_what_to_do_and_why_unscored(kind: type[ParticipantError]) -> None:
    error = kind("something was wrong")

    assert error.unscored_reason in get_args(UnscoredReason)
    assert kind.default_advice in str(error)


def test_a_retryable_status_is_a_matter_of_transport_and_not_of_the_contract() -> None:
    assert HttpRefused("503", retryable=True).unscored_reason == "transport"
    assert HttpRefused("404").unscored_reason == "contract"


def test_the_message_is_one_line_with_place_status_attempt_and_request() -> None:
    error = SchemaViolated("id is miss\ning", path="$.data[3].id")
    error.call, error.status, error.attempt, error.request_id = "search", 200, 2, "eval:r:d:s\u202e"
    error.excerpt = '{"data'

    assert str(error) == (
        "Search: id is miss\\ning at $.data[3].id (layer schema, status 200, attempt 2, request eval:r:d:s\\u202e). "
        'return the fields of the Add / Search contract with their exact types. The body began: "{"data"'
    )
