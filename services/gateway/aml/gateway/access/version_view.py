"""A version as its owner sees it."""

import msgspec

from aml.contracts.participant import ParticipantTarget

from .bodies import AccessApplication, Disclosure, Endpoints, RateLimits, Timeouts
from .version_queries import VersionStanding
from .views import Version


def version_view(standing: VersionStanding) -> Version:
    target = msgspec.json.decode(standing.target, type=ParticipantTarget)
    stated = None
    if standing.application is not None:
        stated = msgspec.json.decode(standing.application, type=AccessApplication)
    return Version(
        version_id=standing.version_id,
        system=standing.system,
        version=standing.version,
        track=standing.track,
        division=standing.division,
        created_at=standing.created_at,
        endpoints=Endpoints(
            add_url=target.add_url,
            search_url=target.search_url,
            health_url=target.health_url,
            add_status_url=target.add_status_url,
        ),
        auth=target.auth,
        has_memory_system_key=target.secret_id is not None,
        max_add_concurrency=standing.max_add_concurrency,
        max_search_concurrency=standing.max_search_concurrency,
        timeouts=stated.timeouts if stated else Timeouts(),
        rate_limits=stated.rate_limits if stated else RateLimits(),
        description=stated.description if stated else "",
        run_instructions=stated.run_instructions if stated else "",
        disclosure=stated.disclosure if stated else Disclosure(),
        smoke_passed=standing.smoke_passed,
        frozen=standing.full_job_id is not None,
        frozen_by_job_id=standing.full_job_id,
        active_job_id=standing.active_job_id,
        withdrawn_at=standing.withdrawn_at,
    )
