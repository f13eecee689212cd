"""Which entries a bundle holds. Pure; sees each entry of the log once, in order."""

from collections.abc import Collection, Iterator
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

_REQUEST: Final = "job_requested.v1"
_FIRST_ADD: Final = "chunk_added.v1"
_DECISIONS: Final = frozenset({"gate_passed.v1", "gate_refused.v1"})
_COURSE: Final = frozenset({_REQUEST, _FIRST_ADD, "job_failed.v1", "job_cancelled.v1", "job_sealed.v1", *_DECISIONS})
"""What a gate looks at of the same key's other jobs: its quota and its earlier results follow from them."""


class _Event(Struct):
    type: str
    job_id: str | UnsetType = UNSET
    key_id: str | UnsetType | None = UNSET
    """None: a benchmark that was offered without a key."""
    release_id: str | UnsetType = UNSET
    release_digest: str | UnsetType = UNSET


class _Entry(Struct):
    event: _Event


_peek = msgspec.json.Decoder(_Entry)


class EntryChoice:
    """`jobs` are held whole; None for the whole log, where everything is held at once.

    Otherwise the course of the other jobs of the same keys is held beside them, and what is of no job at all. Of other
    people's jobs nothing is: their scores are theirs until they are published.
    """

    def __init__(self, jobs: Collection[str] | None) -> None:
        self._jobs = jobs
        self._keys: dict[str, str] = {}
        self._added: set[str] = set()
        self._course: list[tuple[int, str, bytes]] = []
        self.seen: set[str] = set()
        """Jobs with an entry in the log."""
        self.releases: dict[str, str] = {}
        """Digest to id, of the releases that jobs asked for."""
        self.decided: set[int] = set()
        """Indices of the gate's decisions about the jobs that are held whole."""

    def take(self, index: int, body: bytes) -> bool:
        """Whether the bundle surely holds this entry. Raises `msgspec.DecodeError` for bytes that are none."""
        event = _peek.decode(body).event
        job_id = event.job_id
        if job_id is UNSET:
            return True
        self.seen.add(job_id)
        mine = self._jobs is None or job_id in self._jobs
        if event.type == _REQUEST:
            self._note_request(job_id, event, mine=mine)
        elif event.type in _DECISIONS and mine:
            self.decided.add(index)
        if not mine and event.type in _COURSE and not (event.type == _FIRST_ADD and job_id in self._added):
            self._course.append((index, job_id, body))
        if event.type == _FIRST_ADD:
            self._added.add(job_id)
        return mine

    def later(self) -> Iterator[tuple[int, bytes]]:
        """Entries of which only the whole log showed that the bundle holds them, in order."""
        keys = {self._keys[job_id] for job_id in self._jobs or () if job_id in self._keys}
        return ((index, body) for index, job_id, body in self._course if self._keys.get(job_id) in keys)

    def _note_request(self, job_id: str, event: _Event, *, mine: bool) -> None:
        if isinstance(event.key_id, str):
            self._keys.setdefault(job_id, event.key_id)
        if mine and event.release_digest is not UNSET and event.release_id is not UNSET:
            self.releases[event.release_digest] = event.release_id
