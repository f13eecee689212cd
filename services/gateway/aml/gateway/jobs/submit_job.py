"""What every kind of job has in common once it is allowed: its evidence, its row and its event."""

import msgspec
from msgspec import Struct

from aml.contracts.events import encode_event
from aml.contracts.jobs import DatasetPin, JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import PinnedDataset
from aml.contracts.vocabulary import Mode
from aml.gateway.access.declared_limits import limits_of
from aml.gateway.access.version_queries import VersionRow
from aml.gateway.errors import StateConflict
from aml.gateway.names import new_id
from aml.gateway.parts import Parts
from aml.gateway.public.cycles import require_cycle_open
from aml.gateway.storage.database import Connection
from aml.rules.identity import event_id_at, job_subject
from aml.runtime.release_folder import LoadedRelease

from .new_job_queries import NewJob, add_job
from .run_label import label_key


class Submission(Struct, frozen=True, kw_only=True):
    version: VersionRow
    mode: Mode
    run_label: str
    resumes: str | None = None
    release: LoadedRelease
    datasets: tuple[DatasetPin, ...]
    add_concurrency: int
    search_concurrency: int
    allow_private: bool


def label_taken() -> StateConflict:
    return StateConflict("run_label_taken", "this version has a run whose label reads the same; choose a new run_label")


async def submit_job(connection: Connection, parts: Parts, submission: Submission) -> str:
    """Returns the job's id. Raises `StateConflict` where the run label is taken, or the cycle is over."""
    version, release = submission.version, submission.release
    if submission.mode == "full" and version.arm == "participant":
        await require_cycle_open(connection, parts.cycles, release.release.release_id, version.version_id)
    job_id = new_id("job")
    new = NewJob(
        job_id=job_id,
        key_id=version.key_id,
        version_id=version.version_id,
        mode=submission.mode,
        arm=version.arm,
        track=version.track,
        run_label=submission.run_label,
        run_label_key=label_key(submission.run_label),
        resumes=submission.resumes,
        release_id=release.release.release_id,
        release_digest=release.digest,
        datasets=msgspec.json.encode(submission.datasets),
        add_concurrency=submission.add_concurrency,
        search_concurrency=submission.search_concurrency,
        endpoints_revision=version.endpoints_revision,
    )
    if not await add_job(connection, new, encode_event(await _requested(parts, job_id, submission))):
        raise label_taken()
    return job_id


async def _requested(parts: Parts, job_id: str, submission: Submission) -> JobRequested:
    version, release = submission.version, submission.release
    target = None
    if version.target is not None:
        # The object is there before the event that cites it; without the event it is garbage and nothing else.
        stored = msgspec.json.decode(version.target, type=ParticipantTarget)
        target = await parts.evidence.put_json(
            job_id,
            event_id_at(job_subject(job_id, JobRequested)),
            msgspec.structs.replace(stored, limits=limits_of(release.release.limits, version.application)),
        )
    return msgspec.convert(
        {
            "type": "job_requested.v1",
            "at": parts.clock.now_ms(),
            "job_id": job_id,
            "key_id": version.key_id,
            "version_id": version.version_id,
            "system": version.system,
            "version": version.version,
            "track": version.track,
            "division": version.division,
            "mode": submission.mode,
            "arm": version.arm,
            "run_label": submission.run_label,
            "release_id": release.release.release_id,
            "release_digest": release.digest,
            "pipeline_digest": parts.pipeline,
            "datasets": msgspec.to_builtins(submission.datasets),
            "target": msgspec.to_builtins(target),
            "add_concurrency": submission.add_concurrency,
            "search_concurrency": submission.search_concurrency,
            "top_k": release.release.top_k,
            "allow_private": submission.allow_private,
        },
        JobRequested,
    )


def pins_of(datasets: tuple[PinnedDataset, ...]) -> tuple[DatasetPin, ...]:
    return tuple(
        DatasetPin(name=each.name, adapter=each.adapter, version=each.version, sha256=each.sha256) for each in datasets
    )
