"""Opens what a job's entries cite, for whoever holds the key-encryption key."""

from collections.abc import AsyncIterator, Iterable

from aml.contracts.audit import Opening
from aml.contracts.envelope import JobFact
from aml.rules.entry import ReadEntry
from aml.rules.verify.citations import references
from aml.runtime.evidence import EvidenceCorrupt, EvidenceStore, EvidenceUnavailable

from .bundle_members import PAGE_BYTES, Member, openings_page


async def open_evidence(store: EvidenceStore, job_id: str, entries: Iterable[ReadEntry]) -> AsyncIterator[Member]:
    """Pages of openings, in the order of the entries. What was destroyed, or is not there, is left out."""
    page: list[Opening] = []
    length = number = 0
    async for opening in _openings(store, job_id, entries):
        page.append(opening)
        length += len(opening.payload) * 4 // 3
        if length >= PAGE_BYTES:
            yield openings_page(job_id, number, page)
            page, length, number = [], 0, number + 1
    if page:
        yield openings_page(job_id, number, page)


async def _openings(store: EvidenceStore, job_id: str, entries: Iterable[ReadEntry]) -> AsyncIterator[Opening]:
    for entry in entries:
        if not isinstance(entry.event, JobFact):
            continue
        for field, ref in references(entry.event):
            if field == "target":  # where a participant is reached stays between it and the platform
                continue
            try:
                nonce, payload = await store.open_commitment(job_id, entry.event_id, ref)
            except (EvidenceUnavailable, EvidenceCorrupt):
                continue
            yield Opening(digest=ref.digest, nonce=nonce.hex(), media_type=ref.media_type, payload=payload)
