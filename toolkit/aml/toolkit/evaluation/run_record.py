"""`<home>/runs/<job>.json`: what `aml run --resume` must know that the platform does not."""

import re
from pathlib import Path

import msgspec
from msgspec import Struct

from aml.toolkit.local.home import Layout, encode_record, read_record, write_private

from .errors import WrongUsage
from .example_participant import ExampleParticipant

_JOB_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class SystemShown(Struct, frozen=True, kw_only=True):
    """The system as the outcome names it. Without its key."""

    label: str
    add_url: str
    search_url: str
    health_url: str
    auth: str


class RunRecord(Struct, frozen=True, kw_only=True):
    job_id: str
    system: SystemShown
    example: ExampleParticipant | None


def runs_folder(layout: Layout) -> Path:
    return layout.home / "runs"


def keep_record(layout: Layout, record: RunRecord) -> None:
    folder = runs_folder(layout)
    folder.mkdir(exist_ok=True, mode=0o700)
    write_private(folder / f"{record.job_id}.json", encode_record(record))


def load_record(layout: Layout, job_id: str) -> RunRecord:
    """Raises `WrongUsage` for a run that this home does not know."""
    folder = runs_folder(layout)
    record = None
    if _JOB_ID.fullmatch(job_id):
        try:
            record = read_record(folder / f"{job_id}.json", RunRecord)
        except msgspec.MsgspecError:
            record = None
    if record is None:
        raise WrongUsage("--resume", f"no run {job_id[:80]!r} is stored in {layout.home}; {_known(folder)}")
    return record


def _known(folder: Path) -> str:
    newest = sorted(folder.glob("job-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)[:3]
    if not newest:
        return "there are none; start one with --system, or choose another --home"
    return f"the newest are {', '.join(path.stem for path in newest)}"
