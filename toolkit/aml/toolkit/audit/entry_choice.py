"""Which entries a bundle holds. Pure; sees each entry of the log once, in order."""

from collections.abc import Collection

import msgspec
from msgspec import UNSET, Struct, UnsetType

CONTROL = frozenset(
    f"{name}.v1"
    for name in (
        "release_locked", "job_requested", "job_failed", "job_cancelled", "job_sealed", "gate_passed", "gate_refused",
        "review_decided", "board_published",
    )
)  # fmt: skip
"""What a gate looks at beside its own job's entries. Of every job, so that none is left out by choice."""
_FIRST_ADD = "chunk_added.v1"


class _Event(Struct):
    type: str
    job_id: str | UnsetType = UNSET
    release_id: str | UnsetType = UNSET
    release_digest: str | UnsetType = UNSET


class _Entry(Struct):
    event: _Event


_peek = msgspec.json.Decoder(_Entry)


class EntryChoice:
    """`jobs` are held whole, beside what gates look at; None for the whole log."""

    def __init__(self, jobs: Collection[str] | None) -> None:
        self._jobs = jobs
        self._added: set[str] = set()
        self.seen: set[str] = set()
        """Jobs with an entry in the log."""
        self.releases: dict[str, str] = {}
        """Digest to id, of the releases that jobs asked for."""
        self.decided: set[int] = set()
        """Indices of the gate's decisions about the jobs that are held whole."""

    def take(self, index: int, body: bytes) -> bool:
        """Whether the bundle holds this entry. Raises `msgspec.DecodeError` for one that is none."""
        event = _peek.decode(body).event
        job_id = event.job_id
        if job_id is UNSET:
            return self._jobs is None or event.type in CONTROL
        self.seen.add(job_id)
        mine = self._jobs is None or job_id in self._jobs
        if event.type == "job_requested.v1" and event.release_id is not UNSET and event.release_digest is not UNSET:
            if mine:
                self.releases[event.release_digest] = event.release_id
        elif event.type in ("gate_passed.v1", "gate_refused.v1") and mine:
            self.decided.add(index)
        elif event.type == _FIRST_ADD and job_id not in self._added:
            self._added.add(job_id)
            return True
        return mine or event.type in CONTROL
