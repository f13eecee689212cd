"""What an operator looks at first: open jobs, lanes, what is parked, what waits for people, and what is not in order."""

import asyncio
from typing import Final

import nats.errors
from litestar import get
from nats.js import api

from aml.gateway.donations.proposal_queries import count_open_proposals
from aml.gateway.edge.authorise import OPERATORS
from aml.gateway.edge.injected import GivenParts
from aml.gateway.parts import Parts
from aml.gateway.probes import find_problems
from aml.gateway.review.attestation_queries import count_overdue
from aml.gateway.review.review_queries import count_open_reviews
from aml.gateway.storage.outbox_queries import count_waiting
from aml.gateway.storage.start_queries import load_installation_id
from aml.rules.identity import STREAM
from aml.runtime.bus import TRANSIENT_BUS_ERRORS

from .overview_queries import count_keys, count_open_requests, count_parked, count_states, load_open_jobs
from .views import Lane, Overview, ReleaseQuotas

_SECONDS: Final = 3.0
MAX_LANES: Final = 500


@get("/operator/overview", summary="What runs, waits, is parked or not in order", guards=[OPERATORS])
async def read_overview(parts: GivenParts) -> Overview:
    consumers = await load_consumers(parts)
    async with parts.database.read() as connection:
        projection = f"gateway-{await load_installation_id(connection)}"
        return Overview(
            problems=await find_problems(parts),
            jobs=tuple(await count_states(connection)),
            open_jobs=tuple(await load_open_jobs(connection)),
            lanes=None if consumers is None else lanes_of(consumers),
            parked=await count_parked(connection),
            outbox_waiting=await count_waiting(connection),
            projection_waiting=None if consumers is None else behind(consumers, projection),
            keys=tuple(await count_keys(connection)),
            open_access_requests=await count_open_requests(connection),
            open_reviews=await count_open_reviews(connection),
            open_proposals=await count_open_proposals(connection),
            overdue_attestations=await count_overdue(connection),
            quotas=tuple(
                ReleaseQuotas(
                    release_id=loaded.release.release_id,
                    track=loaded.release.track,
                    default=loaded.release.release_id == parts.releases.default,
                    quotas=loaded.release.quotas,
                )
                for loaded in parts.releases.all()
            ),
        )


async def load_consumers(parts: Parts) -> list[api.ConsumerInfo] | None:
    """None where the broker cannot be asked."""
    found: list[api.ConsumerInfo] = []
    try:
        async with asyncio.timeout(_SECONDS):
            while len(found) < MAX_LANES:
                page = await parts.bus.js.consumers_info(STREAM, offset=len(found))
                found += page
                if not page:
                    break
    except (TimeoutError, nats.errors.Error, *TRANSIENT_BUS_ERRORS):
        return None
    return found


def lanes_of(consumers: list[api.ConsumerInfo]) -> tuple[Lane, ...]:
    """Those with the most to do first."""
    lanes = [
        Lane(
            name=each.name,
            waiting=each.num_pending or 0,
            in_work=each.num_ack_pending or 0,
            given_again=each.num_redelivered or 0,
            slots=each.config.max_ack_pending,
        )
        for each in consumers
        if each.config.durable_name is not None  # the others are somebody's reading, and go by themselves
    ]
    return tuple(sorted(lanes, key=lambda lane: (-lane.waiting - lane.in_work, lane.name)))


def behind(consumers: list[api.ConsumerInfo], name: str) -> int | None:
    return next(
        ((each.num_pending or 0) + (each.num_ack_pending or 0) for each in consumers if each.name == name), None
    )
