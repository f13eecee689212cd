"""The check of an applicant's endpoints: the contract doctor's first questions, under tight limits.

At most five small requests with a made-up record under a user id that nobody else has. What is reported is the doctor's own
wording; of addresses that are refused it says only that, since what a name resolves to in here is nobody's business.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from aml.contracts.doctor import CheckReport
from aml.contracts.participant import AuthScheme, CallLimits, ParticipantTarget
from aml.contracts.release import RetryPolicy
from aml.contracts.vocabulary import Track
from aml.runtime.clock import Clock
from aml.runtime.doctor.checks.add_and_search import ADD, SEARCH
from aml.runtime.doctor.checks.keys import RIGHT_KEY
from aml.runtime.doctor.checks.reach import HEALTH, REACH
from aml.runtime.doctor.examine import examine
from aml.runtime.doctor.visit import Subject
from aml.runtime.participant.client import ParticipantClient
from aml.runtime.secret import Secret

from .bodies import Endpoints
from .endpoint_check import WEB, target_of
from .views import EndpointCheck, EndpointFinding

BUDGET_SECONDS: Final = 10.0
LIMITS: Final = CallLimits(
    connect_seconds=3.0, first_byte_seconds=6.0, total_seconds=6.0, max_response_bytes=256 * 1024
)
_ONCE: Final = RetryPolicy(attempts=1)
_WITH_KEY: Final = (REACH, HEALTH, RIGHT_KEY, ADD, SEARCH)
_WITHOUT_KEY: Final = (REACH, HEALTH)
_DETAIL_CHARS: Final = 500


async def visit_endpoints(
    endpoints: Endpoints,
    auth: AuthScheme,
    secret: Secret | None,
    *,
    track: Track,
    allow_private: bool,
    ports: Collection[int],
    clock: Clock,
    budget_seconds: float = BUDGET_SECONDS,
) -> EndpointCheck:
    """Without the key that `auth` needs, Add and Search are not tried. `ports` are the release's, empty for any."""
    keyless = secret is None
    tried = auth == "none" or not keyless

    def connect(target: ParticipantTarget, key: Secret | None) -> ParticipantClient:
        return ParticipantClient(
            target,
            secret=key,
            policy=_ONCE,
            allow_private=allow_private,
            chance=lambda: 0.0,
            limits=LIMITS,
            schemes=WEB,
            ports=None if allow_private else ports or None,
            add_concurrency=1,
            search_concurrency=1,
        )

    report = await examine(
        Subject(target=target_of(endpoints, auth if tried else "none", None), secret=secret, track=track),
        connect,
        run=secrets.token_hex(8),
        clock=clock,
        checks=_WITH_KEY if tried else _WITHOUT_KEY,
        budget_seconds=budget_seconds,
    )
    return check_of([finding_of(each) for each in report.checks], at_ms=clock.now_ms())


def finding_of(report: CheckReport) -> EndpointFinding:
    if report.code == "address":
        text = "its address, or one that its name leads to, is not public. Publish the server on a public address"
    else:
        text = f"{report.finding}. {report.mend}" if report.mend else report.finding
    passed = {"passed": True, "warning": True, "failed": False, "skipped": None}[report.outcome]
    return EndpointFinding(name=report.name, passed=passed, detail=text[:_DETAIL_CHARS])


def check_of(findings: Sequence[EndpointFinding], *, at_ms: int) -> EndpointCheck:
    """Passed where nothing failed, and Add and Search were tried."""
    good = {finding.name for finding in findings if finding.passed}
    return EndpointCheck(
        passed={"add", "search"} <= good and all(finding.passed is not False for finding in findings),
        checked_at=datetime.fromtimestamp(at_ms / 1000, UTC),
        findings=tuple(findings),
    )


def with_what_was_known(check: EndpointCheck, before: EndpointCheck | None) -> EndpointCheck:
    """What this check could not try stands as the one before found it: a visit without the key makes nothing good or bad."""
    if before is None:
        return check
    tried = {finding.name for finding in check.findings if finding.passed is not None}
    kept = [finding for finding in before.findings if finding.name not in tried and finding.passed is not None]
    known = tried | {finding.name for finding in kept}
    untried = [finding for finding in check.findings if finding.passed is None and finding.name not in known]
    now = [finding for finding in check.findings if finding.passed is not None]
    return check_of([*now, *kept, *untried], at_ms=int(check.checked_at.timestamp() * 1000))


def not_made(problem: str, *, at_ms: int) -> EndpointCheck:
    return check_of([EndpointFinding(name="turn", passed=None, detail=f"not checked: {problem}")], at_ms=at_ms)


def hosts_of(endpoints: Endpoints) -> frozenset[str]:
    """Endpoints that passed `endpoint_problems` have a host each."""
    urls = (endpoints.add_url, endpoints.search_url, endpoints.health_url)
    return frozenset(urlsplit(url).hostname or "" for url in urls if url is not None)
