"""The generated schemas are those of the code, and say what the code accepts."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.factories.events import EXAMPLES

from aml.contracts.envelope import Fact
from aml.rules.identity import subject_of
from aml.toolkit.asyncapi import asyncapi, subject_pattern, tag_of
from aml.toolkit.event_flow import FLOWS, event_types
from aml.toolkit.schemas import out_of_date, schema_files, schemas_folder, write_schemas

GOLDEN = Path(__file__).parent / "golden"


def test_the_committed_schemas_are_up_to_date() -> None:
    assert out_of_date(schemas_folder()) == [], "run `make schemas`"


def test_writing_makes_a_folder_hold_exactly_what_is_generated(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "gone.v1.json").write_text("{}")
    (tmp_path / "board.json").write_text("{}")
    assert {"events/gone.v1.json", "board.json", "asyncapi.json"} <= set(out_of_date(tmp_path))

    write_schemas(tmp_path)

    assert out_of_date(tmp_path) == []
    assert not (tmp_path / "events" / "gone.v1.json").exists()


@pytest.mark.parametrize("name", [name for name in schema_files() if name != "asyncapi.json"])
def test_each_file_is_a_json_schema(name: str) -> None:
    Draft202012Validator.check_schema(json.loads(schema_files()[name]))


@pytest.mark.parametrize("event_type", event_types(), ids=lambda event_type: event_type.__name__)
def test_the_schema_accepts_the_golden_file_and_nothing_beside_it(event_type: type[Fact]) -> None:
    tag = tag_of(event_type)
    validator = Draft202012Validator(json.loads(schema_files()[f"events/{tag}.json"]))
    golden = json.loads((GOLDEN / f"{tag}.json").read_bytes())
    assert validator.is_valid(golden)
    assert not validator.is_valid(golden | {"extra": 1})
    assert not validator.is_valid(golden | {"type": "other.v1"})
    assert not validator.is_valid({name: value for name, value in golden.items() if name != "at"})


@pytest.mark.parametrize("event_type", event_types(), ids=lambda event_type: event_type.__name__)
def test_a_channels_address_is_the_subject_that_events_are_published_on(event_type: type[Fact]) -> None:
    pattern = re.sub(r"\\\{\w+\\\}", "[A-Za-z0-9_-]+", re.escape(subject_pattern(event_type)))
    assert re.fullmatch(pattern, subject_of(EXAMPLES[event_type]))


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = asyncapi()

    def resolve(reference: str) -> object:
        found: object = document
        for key in reference.removeprefix("#/").split("/"):
            assert isinstance(found, dict), reference
            assert key in found, reference
            found = found[key]
        return found

    references = re.findall(r'"\$ref": "([^"]+)"', json.dumps(document))
    assert references
    for reference in set(references):
        resolve(reference)


def test_the_two_endings_of_a_question_share_a_channel() -> None:
    messages = asyncapi()["channels"]["question_ended"]["messages"]
    assert set(messages) == {"answer_scored.v1", "unit_unscored.v1"}


def test_the_flow_table_has_every_event_and_someone_who_states_it() -> None:
    assert set(FLOWS) == set(event_types())
    assert all(flow.states for flow in FLOWS.values())
