"""Old versions become new ones step by step; what nobody knows stops the reader."""

from typing import Any

import msgspec
import pytest
from tests.factories.events import EXAMPLES, an_event

from aml.contracts.events import encode_event
from aml.contracts.shredding import EvidenceShredded
from aml.rules.upcast import (
    KNOWN_TAGS,
    UPCASTERS,
    UnknownEventVersion,
    Upcaster,
    UpcastInvalid,
    read_event,
    upcast,
)

V1 = an_event(EvidenceShredded, reason="request")
OLDEST = b'{"type":"evidence_gone.v1","at":%d,"job":"%s","why":"asked"}' % (V1.at, V1.job_id.encode())


def renamed(fields: dict[str, Any]) -> dict[str, Any]:
    return {"at": fields["at"], "job_id": fields["job"], "why": fields["why"]}


def reworded(fields: dict[str, Any]) -> dict[str, Any]:
    return {"at": fields["at"], "job_id": fields["job_id"], "reason": {"asked": "request"}[fields["why"]]}


STEPS = {
    "evidence_gone.v1": Upcaster(to="evidence_gone.v2", step=renamed),
    "evidence_gone.v2": Upcaster(to="evidence_shredded.v1", step=reworded),
}


@pytest.mark.parametrize("event", EXAMPLES.values(), ids=lambda event: type(event).__name__)
def test_the_newest_version_is_read_as_it_is(event: Any) -> None:
    assert read_event(encode_event(event)) == event


def test_an_old_version_goes_through_every_step() -> None:
    assert read_event(OLDEST, STEPS) == V1


def test_a_step_changes_nothing_in_place() -> None:
    fields = msgspec.json.decode(OLDEST)
    before = dict(fields)
    upcast("evidence_gone.v1", fields, STEPS)
    assert fields == before


@pytest.mark.parametrize("tag", ["evidence_shredded.v2", "never_heard_of.v1"])
def test_an_unknown_version_says_which_and_what_to_do(tag: str) -> None:
    with pytest.raises(UnknownEventVersion, match=rf"{tag}.*later") as caught:
        read_event(b'{"type":"%s","at":1}' % tag.encode())
    assert caught.value.tag == tag


def test_a_chain_with_a_missing_step_names_where_it_ends() -> None:
    with pytest.raises(UnknownEventVersion, match=r"evidence_gone\.v2"):
        read_event(OLDEST, {"evidence_gone.v1": STEPS["evidence_gone.v1"]})


def test_a_step_that_gives_the_wrong_shape_is_a_defect_of_the_step() -> None:
    wrong = STEPS | {"evidence_gone.v2": Upcaster(to="evidence_shredded.v1", step=lambda fields: fields)}
    with pytest.raises(UpcastInvalid, match=r"evidence_gone\.v1"):
        read_event(OLDEST, wrong)


def test_steps_in_a_circle_end() -> None:
    circle = {"a.v1": Upcaster(to="a.v2", step=dict), "a.v2": Upcaster(to="a.v1", step=dict)}
    with pytest.raises(UpcastInvalid, match="come back"):
        read_event(b'{"type":"a.v1"}', circle)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"type":7}', b'{"type":"noise"}', encode_event(V1)[:-1]])
def test_what_is_no_event_of_any_version_stays_a_decoding_error(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_event(data)


def test_a_known_version_with_wrong_fields_is_no_unknown_version() -> None:
    with pytest.raises(msgspec.ValidationError):
        read_event(b'{"type":"evidence_shredded.v1","at":1}')


def test_every_registered_step_starts_from_an_old_tag_and_ends_at_a_known_one() -> None:
    assert UPCASTERS.keys().isdisjoint(KNOWN_TAGS)
    assert {step.to for step in UPCASTERS.values()} <= KNOWN_TAGS | UPCASTERS.keys()
