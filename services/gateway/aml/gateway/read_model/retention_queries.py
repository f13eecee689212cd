"""Which jobs' evidence has been held for how long. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Select, select

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all
from aml.gateway.storage.tables import job


class HeldEvidence(Struct, frozen=True, kw_only=True):
    job_id: str
    ended_at: datetime


@cache
def select_held_evidence() -> Select[Any]:
    return select(*job.c[HeldEvidence.__struct_fields__]).where(
        job.c.sealed, ~job.c.evidence_shredded, job.c.ended_at.is_not(None)
    )


async def load_held_evidence(connection: Connection) -> list[HeldEvidence]:
    return await fetch_all(connection, select_held_evidence(), HeldEvidence)
