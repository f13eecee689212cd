"""The texts of questions, from the packs of their samples: for a page of rows, and to look for words in them."""

import asyncio
from collections.abc import Sequence
from typing import TypeVar

import structlog
from msgspec.structs import replace

from aml.contracts.packs import QuestionPack
from aml.runtime.bus import TRANSIENT_BUS_ERRORS
from aml.runtime.evidence import EvidenceCorrupt, EvidenceUnavailable
from aml.runtime.sample_packs import SamplePacks, SampleUnknown

from .views import ChangedQuestion, QuestionRow

log = structlog.get_logger()

R = TypeVar("R", QuestionRow, ChangedQuestion)

AT_ONCE = 8


async def with_texts(packs: SamplePacks, job_id: str, rows: Sequence[R]) -> tuple[R, ...]:
    """A row whose text cannot be read stays without it: the rest of it is worth reading."""
    found = await _packs(packs, job_id, sorted({row.sample for row in rows if row.sample is not None}))
    return tuple(replace(row, question=_text(found.get(row.sample or ""), row.item)) for row in rows)


async def units_that_say(packs: SamplePacks, job_id: str, samples: Sequence[str], words: str) -> list[str]:
    """The units whose question has `words` in its text, whatever the case."""
    sought = words.casefold()
    return [
        unit
        for pack in (await _packs(packs, job_id, samples)).values()
        if pack is not None
        for unit, question in zip(pack.units, pack.questions, strict=True)
        if sought in question.text.casefold()
    ]


async def _packs(packs: SamplePacks, job_id: str, samples: Sequence[str]) -> dict[str, QuestionPack | None]:
    slots = asyncio.Semaphore(AT_ONCE)

    async def read(sample: str) -> QuestionPack | None:
        async with slots:
            return await _pack(packs, job_id, sample)

    return dict(zip(samples, await asyncio.gather(*map(read, samples)), strict=True))


async def _pack(packs: SamplePacks, job_id: str, sample: str) -> QuestionPack | None:
    try:
        return await packs.questions(job_id, sample)
    except SampleUnknown:
        return None
    except (EvidenceCorrupt, EvidenceUnavailable, *TRANSIENT_BUS_ERRORS) as error:
        log.info("question.text_unread", job_id=job_id, error=type(error).__name__)
        return None


def _text(pack: QuestionPack | None, item: int | None) -> str | None:
    if pack is None or item is None or item >= len(pack.questions):
        return None
    return pack.questions[item].text
