"""One stored example of each event version, with the subject and the id that it was published under."""

import json
from pathlib import Path

import msgspec
import pytest
from tests.contract.golden_check import golden_problem

from aml.contracts.envelope import Fact
from aml.contracts.events import Event, decode_event
from aml.rules.identity import event_id, subject_of
from aml.toolkit.asyncapi import tag_of
from aml.toolkit.event_flow import event_types

FOLDER = Path(__file__).parent / "golden"
IDENTITIES = json.loads((FOLDER.parent / "identities.json").read_text("utf-8"))
GOLDEN = sorted(FOLDER.glob("*.json"))
DECODER = msgspec.json.Decoder(Event)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_stored_fact_reads_and_writes_as_it_did(path: Path) -> None:
    if problem := golden_problem(path.stem, path.read_bytes(), DECODER):
        pytest.fail(problem)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_stored_fact_keeps_its_subject_and_id(path: Path) -> None:
    event = decode_event(path.read_bytes())
    assert {"subject": subject_of(event), "event_id": event_id(event)} == IDENTITIES[path.stem]


@pytest.mark.parametrize("event_type", event_types(), ids=lambda event_type: event_type.__name__)
def test_every_event_of_the_union_has_a_golden_file(event_type: type[Fact]) -> None:
    tag = tag_of(event_type)
    assert (FOLDER / f"{tag}.json").exists(), f"add tests/contract/golden/{tag}.json and its line in identities.json"


def test_every_identity_has_its_golden_file() -> None:
    assert set(IDENTITIES) == {path.stem for path in GOLDEN}


class Moved(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="moved.v1"):
    place: str


STORED = msgspec.json.Encoder(order="sorted").encode(Moved(at=1, place="here"))


@pytest.mark.parametrize(
    "fields",
    [
        [("location", str)],
        [("place", int)],
        [("place", str), ("floor", int)],
        [("place", str), ("floor", int, 0)],
        [],
    ],
    ids=["renamed", "retyped", "added", "added with a default", "removed"],
)
def test_a_changed_field_is_found_and_the_way_out_named(fields: list[tuple[object, ...]]) -> None:
    changed = msgspec.defstruct(
        "Moved", fields, bases=(Fact,), frozen=True, kw_only=True, forbid_unknown_fields=True, tag="moved.v1"
    )
    problem = golden_problem("moved.v1", STORED, msgspec.json.Decoder(changed))
    assert problem is not None
    assert "moved.v2" in problem


def test_an_unchanged_shape_is_no_problem() -> None:
    assert golden_problem("moved.v1", STORED, msgspec.json.Decoder(Moved)) is None
