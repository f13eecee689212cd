"""Evidence that was read or written a moment ago: the answer's stage and the scoring's read the same memories."""

from collections import OrderedDict
from typing import TypeVar, cast

from aml.contracts.envelope import EvidenceRef
from aml.runtime.evidence import EvidenceStore

T = TypeVar("T")

BUDGET_BYTES = 2 * 1024 * 1024
"""Of encoded payload; decoded it is about five times as much."""


class RecentEvidence:
    """Decoded payloads by their digests, the least recently used dropped first."""

    def __init__(self, evidence: EvidenceStore, *, budget_bytes: int = BUDGET_BYTES) -> None:
        self._evidence = evidence
        self._budget = budget_bytes
        self._held: OrderedDict[str, tuple[int, object]] = OrderedDict()
        self._bytes = 0

    async def open_json(self, job_id: str, event_id: str, ref: EvidenceRef, shape: type[T]) -> T:
        """A digest stands for one payload of one event kind, so whoever asks for it asks for the same shape."""
        if (held := self._held.get(ref.digest)) is not None:
            self._held.move_to_end(ref.digest)
            return cast("T", held[1])
        value = await self._evidence.open_json(job_id, event_id, ref, shape)
        self._keep(ref, value)
        return value

    async def put_json(self, job_id: str, event_id: str, value: object) -> EvidenceRef:
        ref = await self._evidence.put_json(job_id, event_id, value)
        self._keep(ref, value)
        return ref

    def _keep(self, ref: EvidenceRef, value: object) -> None:
        if ref.digest in self._held or ref.size > self._budget // 4:
            return
        self._held[ref.digest] = (ref.size, value)
        self._bytes += ref.size
        while self._bytes > self._budget:
            _, (size, _) = self._held.popitem(last=False)
            self._bytes -= size
