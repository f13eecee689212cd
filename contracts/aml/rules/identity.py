"""Identity by construction: a unit's short name, an event's subject, and an event's id from its natural key."""

import hashlib
from functools import cache
from typing import assert_never

from aml.contracts.access import (
    AccessApproved,
    AccessDeclined,
    AccessRequested,
    KeyIssued,
    KeyRevoked,
    KeyRotated,
    MemoryKeyReplaced,
    VersionBound,
    VersionChanged,
    VersionDisclosed,
    VersionWithdrawn,
)
from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.decisions import DecisionExplained
from aml.contracts.envelope import Fact, JobFact, UnitFact
from aml.contracts.events import Event, KeyEvent, VersionEvent
from aml.contracts.proposals import BenchmarkProposed, ProposalDecided
from aml.contracts.release import ReleaseLocked
from aml.contracts.verdicts import AnswerScored, UnitUnscored

STREAM = "AML"
SUBJECT_ROOT = "aml.v1"
EVERYTHING = f"{SUBJECT_ROOT}.>"

VERDICTS: tuple[type[UnitFact], ...] = (AnswerScored, UnitUnscored)

_NAMESPACE = bytes.fromhex("5f6b0c1e8f435d0a9a553a0d6f1f4a10")
_VARIANT = {f"{digit:x}": f"{digit & 0x3 | 0x8:x}" for digit in range(16)}
"""RFC 9562 §4.1: the two highest bits of the ninth byte are 10."""


def unit_of(*key: str) -> str:
    """The short name of a unit: 20 hex digits of SHA-256 over the length-prefixed parts of its natural key.

    80 bits: among the 10^6 units of a very large job, two share a name with a probability of 4·10⁻¹³.
    """
    hasher = hashlib.sha256()
    for part in key:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(4, "big"))
        hasher.update(data)
    return hasher.hexdigest()[:20]


@cache
def event_name(event_type: type[Fact]) -> str:
    """`ChunkAdded` → `chunk_added`: the tag without its version.

    The two ways in which a question ends share one name, so that the stream refuses a second ending.
    """
    if event_type in VERDICTS:
        return "question_ended"
    tag = event_type.__struct_config__.tag
    assert isinstance(tag, str)
    return tag.rpartition(".")[0]


def subject_of(event: Event) -> str:
    """`aml.v1.<kind>.<id>.<event>[.<unit>]`. Unique for each fact: the stream refuses a second message on it."""
    kind, scope, unit = _natural_key(event)
    base = f"{SUBJECT_ROOT}.{kind}.{scope}.{event_name(type(event))}"
    return f"{base}.{unit}" if unit else base


def job_subject(job_id: str, event_type: type[JobFact], unit: str | None = None) -> str:
    """The subject of a job's event; `unit="*"` or `job_id="*"` give a consumer's filter."""
    base = f"{SUBJECT_ROOT}.job.{job_id}.{event_name(event_type)}"
    return f"{base}.{unit}" if unit else base


def release_subject(release_id: str, event_type: type[Fact], release_digest: str, pipeline_digest: str) -> str:
    """The subject of what is stated once for a release's content and the code that runs under it."""
    base = f"{SUBJECT_ROOT}.release.{release_id}.{event_name(event_type)}"
    return f"{base}.{_release_unit(release_digest, pipeline_digest)}"


def event_id(event: Event) -> str:
    """UUIDv5 of the natural key (which is the subject): the same fact has the same id whoever states it, however often."""
    return event_id_at(subject_of(event))


def event_id_at(subject: str) -> str:
    """The id of the event that stands, or will stand, on `subject`.

    RFC 9562 §5.5 spelled out: `uuid.uuid5` takes 3 µs for the same 36 characters, and every event is named several times.
    """
    text = hashlib.sha1(_NAMESPACE + subject.encode(), usedforsecurity=False).hexdigest()
    return f"{text[:8]}-{text[8:12]}-5{text[13:16]}-{_VARIANT[text[16]]}{text[17:20]}-{text[20:32]}"


def _natural_key(event: Event) -> tuple[str, str, str | None]:
    match event:
        case UnitFact():
            return "job", event.job_id, event.unit
        case ReviewDecided():
            return "job", event.job_id, str(event.number)
        case JobFact():
            return "job", event.job_id, None
        case AccessRequested() | AccessApproved() | AccessDeclined():
            return "access", event.access_id, None
        case KeyIssued() | KeyRotated() | KeyRevoked():
            return "key", event.key_id, _number(event)
        case VersionBound() | VersionDisclosed() | VersionChanged() | VersionWithdrawn() | MemoryKeyReplaced():
            return "version", event.version_id, _number(event)
        case DecisionExplained():
            return "decision", event.about, f"{event.decision}-{event.number}"
        case ReleaseLocked() | JudgeCalibrated():
            return "release", event.release_id, _release_unit(event.release_digest, event.pipeline_digest)
        case BoardPublished():
            return "board", event.board_id, str(event.version)
        case BenchmarkProposed():
            return "proposal", event.proposal_id, None
        case ProposalDecided():
            return "proposal", event.proposal_id, str(event.number)
        case _:
            assert_never(event)


def _release_unit(release_digest: str, pipeline_digest: str) -> str:
    return f"{release_digest[:16]}-{pipeline_digest[:16]}"


def _number(event: KeyEvent | VersionEvent) -> str | None:
    """Of a fact that can become true more than once; None for those that cannot."""
    match event:
        case KeyRotated() | VersionChanged() | MemoryKeyReplaced():
            return str(event.number)
        case _:
            return None
