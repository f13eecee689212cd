"""The file of one result: everything that a decision needs, beside each other."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from litestar import get
from litestar.params import FromPath

from aml.gateway.access.bodies import AccessApplication
from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import FieldsInvalid, OwnSystem, StateConflict, Unavailable
from aml.gateway.jobs.job_access import require_visible, visible_job
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.keys.keys import Caller
from aml.gateway.parts import Parts
from aml.gateway.results.result_queries import load_result
from aml.gateway.storage.database import Connection

from .disclosure_queries import DisclosedRow, disclosed_of, load_disclosed
from .duplicates import Disclosed, Likeness, came_first, find_alike, hosts_of
from .fair_play_evidence import load_fair_play
from .host_addresses import MAX_HOSTS, resolve_hosts
from .log_index import load_log_indices
from .own_system import require_impartial
from .publication import possible_decisions
from .queue import review_item
from .review_queries import load_job_decisions, load_notes, load_own_run, load_passed
from .similar_results import Alike, find_similar, passed_result
from .views import DisclosureTime, DuplicateOf, FairPlayEvidence, ReviewFile, SimilarResult

MAX_VERSIONS: Final = 5_000
MAX_RESULTS: Final = 2_000
SHOWN_DUPLICATES: Final = 50
SHOWN_SIMILAR: Final = 10
SHOWN_FLAGGED: Final = 10
_UNSAID: Final = DisclosureTime(disclosed_at=None, log_index=None, changes=0)


@get("/reviews/{job_id:str}", summary="Everything that a decision needs", guards=[REVIEWERS])
async def read_review_file(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> ReviewFile:
    async with parts.database.read() as connection:
        row = await require_visible(connection, caller, job_id)
        stored = await load_result(connection, job_id)
        if stored is None or row.gate != "passed":
            raise StateConflict("gate_not_passed", "this job has not passed the gate; only what passed is reviewed")
        organisers = row.arm != "participant" or await load_own_run(connection, row.version_id)
        own_system = await _is_own(connection, caller, row)
        rows = await load_disclosed(connection, MAX_VERSIONS)
        passed = await load_passed(connection, row.release_digest, job_id, MAX_RESULTS)
        notes, decisions = await load_notes(connection, job_id), await load_job_decisions(connection, job_id)
    everybody = {each.version_id: disclosed_of(each) for each in rows}
    this = everybody.get(row.version_id)
    alike = await _find_alike(this, list(everybody.values()))
    similar = find_similar(passed_result(stored), passed, SHOWN_SIMILAR)
    indices = await load_log_indices(parts.settings.ledger.url, _concerned(this, alike, similar, everybody))
    mine = time_of(this, indices)
    return ReviewFile(
        item=review_item(row, stored, "organiser" if organisers else "participants"),
        possible=possible_decisions(row),
        own_system=own_system,
        application=_application(next((each for each in rows if each.version_id == row.version_id), None)),
        access_id=this.access_id if this else None,
        mine=mine,
        fair_play=await _fair_play(parts, job_id),
        duplicates=tuple(duplicate_of(each, this, mine, indices) for each in alike if this is not None),
        similar=tuple(
            similar_result(each, row, everybody, mine, indices, _likeness_limit(parts, row)) for each in similar
        ),
        notes=tuple(notes),
        decisions=tuple(decisions),
    )


@get("/reviews/{job_id:str}/fair-play", summary="What was flagged, question by question", guards=[REVIEWERS])
async def read_fair_play(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], limit: Limit = 20, offset: Offset = 0
) -> FairPlayEvidence:
    row = await visible_job(parts.database, caller, job_id)
    return await load_fair_play(parts.bus, parts.evidence, row.job_id, limit=limit, offset=offset)


async def _is_own(connection: Connection, caller: Caller, row: JobRow) -> bool:
    try:
        await require_impartial(connection, caller, key_id=row.key_id)
    except OwnSystem:
        return True
    return False


async def _find_alike(this: Disclosed | None, everybody: Sequence[Disclosed]) -> list[Likeness]:
    if this is None:
        return []
    others = [each for each in everybody if each.version_id != this.version_id]
    addresses = await resolve_hosts(hosts_of([this, *others], MAX_HOSTS))
    return find_alike(this, others, addresses)[:SHOWN_DUPLICATES]


async def _fair_play(parts: Parts, job_id: str) -> FairPlayEvidence | None:
    """The rest of the file is worth reading while the broker is away."""
    try:
        return await load_fair_play(parts.bus, parts.evidence, job_id, limit=SHOWN_FLAGGED, offset=0)
    except Unavailable:
        return None


def _concerned(
    this: Disclosed | None, alike: Sequence[Likeness], similar: Sequence[Alike], everybody: Mapping[str, Disclosed]
) -> list[str]:
    versions = [this, *(each.other for each in alike)]
    versions += [everybody.get(each.passed.subject.version_id) for each in similar]
    return list(dict.fromkeys(each.access_id for each in versions if each is not None and each.access_id is not None))


def time_of(disclosed: Disclosed | None, indices: Mapping[str, int]) -> DisclosureTime:
    if disclosed is None:
        return _UNSAID
    index = indices.get(disclosed.access_id) if disclosed.access_id is not None else None
    return DisclosureTime(disclosed_at=disclosed.disclosed_at, log_index=index, changes=disclosed.changes)


def duplicate_of(likeness: Likeness, this: Disclosed, mine: DisclosureTime, indices: Mapping[str, int]) -> DuplicateOf:
    other, theirs = likeness.other, time_of(likeness.other, indices)
    return DuplicateOf(
        matches=likeness.matches,
        version_id=other.version_id,
        key_id=other.key_id,
        same_key=other.key_id == this.key_id,
        system=other.system,
        version=other.version,
        organisation=other.organisation,
        theirs=theirs,
        first=came_first((mine.log_index, mine.disclosed_at), (theirs.log_index, theirs.disclosed_at)),
    )


def similar_result(
    alike: Alike,
    row: JobRow,
    everybody: Mapping[str, Disclosed],
    mine: DisclosureTime,
    indices: Mapping[str, int],
    limit: int,
) -> SimilarResult:
    subject = alike.passed.subject
    theirs = time_of(everybody.get(subject.version_id), indices)
    return SimilarResult(
        job_id=alike.row.job_id,
        likeness=alike.likeness,
        exact=alike.exact,
        duplicate=alike.likeness >= limit,
        version_id=subject.version_id,
        key_id=subject.key_id,
        same_key=subject.key_id == row.key_id,
        system=subject.system,
        version=subject.version,
        overall=alike.passed.result.overall,
        requested_at=alike.row.requested_at,
        theirs=theirs,
        first=came_first((mine.log_index, mine.disclosed_at), (theirs.log_index, theirs.disclosed_at)),
    )


def _application(row: DisclosedRow | None) -> AccessApplication | None:
    if row is None or row.application is None:
        return None
    try:
        return msgspec.json.decode(row.application, type=AccessApplication)
    except msgspec.ValidationError:
        return None  # stored in a form that is no longer taken


def _likeness_limit(parts: Parts, row: JobRow) -> int:
    try:
        return parts.releases.get(row.release_id).release.fair_play.duplicate_likeness
    except FieldsInvalid:
        return 1_000_000  # a release that is no longer offered: only what is exactly alike
