"""Rows of the reference page."""

from typing import Any

import pytest
from tests.unit.gateway.portal.conftest import document

from aml.gateway.portal.openapi_view import reference_of, type_of


def test_operations_are_grouped_by_resource() -> None:
    reference = reference_of(document())

    assert [(group.name, [each.method for each in group.operations]) for group in reference.groups] == [
        ("jobs", ["GET", "POST"]),
        ("releases", ["GET"]),
    ]
    listing, order = reference.groups[0].operations
    assert listing.needs_key
    assert not reference.groups[1].operations[0].needs_key
    assert (listing.parameters[0].name, listing.parameters[0].type) == ("limit", "integer")
    assert order.body == ("Order",)
    assert [(each.status, each.refers) for each in order.answers] == [("201", ()), ("401", ("Refusal",))]
    assert [schema.name for schema in reference.schemas] == ["Order", "Refusal"]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "date-time"}, "string (date-time)"),
        ({"$ref": "#/components/schemas/Job"}, "Job"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Job"}}, "Job[]"),
        ({"oneOf": [{"type": "integer"}, {"type": "null"}]}, "integer | null"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": ["string", "null"]}, "string | null"),
        ({"const": "x"}, '"x"'),
        ({}, "any"),
    ],
)
def test_types_in_words(shape: dict[str, Any], words: str) -> None:
    assert type_of(shape) == words
