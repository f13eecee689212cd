"""Where the log holds an application: what decides whose disclosure came first, whatever clock anybody had."""

from collections.abc import Collection
from typing import Final

import aiohttp
import msgspec
from msgspec import Struct

from aml.rules.identity import SUBJECT_ROOT, event_id_at

TIMEOUT_SECONDS: Final = 3.0
MAX_ANSWER_BYTES: Final = 64 * 1024
MAX_ASKED: Final = 100


class _Indices(Struct, frozen=True):
    indices: dict[str, int]


def application_id(access_id: str) -> str:
    """The event id of the application's `AccessRequested`."""
    return event_id_at(f"{SUBJECT_ROOT}.access.{access_id}.access_requested")


async def load_log_indices(ledger_url: str, access_ids: Collection[str]) -> dict[str, int]:
    """Application to its index in the log. Empty where the ledger cannot be asked: then the database's time is what there is."""
    asked = {application_id(access_id): access_id for access_id in list(access_ids)[:MAX_ASKED]}
    if not asked:
        return {}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)) as session,
            session.get(
                f"{ledger_url}/log/indices", params=[("event_id", each) for each in asked], allow_redirects=False
            ) as answer,
        ):
            if answer.status != 200:
                return {}
            found = msgspec.json.decode(await answer.content.read(MAX_ANSWER_BYTES), type=_Indices).indices
    except (TimeoutError, aiohttp.ClientError, msgspec.DecodeError):
        return {}
    return {asked[event]: index for event, index in found.items() if event in asked}
