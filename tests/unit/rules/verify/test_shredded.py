"""A log in which evidence was destroyed verifies as it did; what cannot be opened is absent, and no fault."""

from typing import Any

import pytest
from tests.factories.audited_logs import AuditedLog, a_published_log
from tests.factories.events import an_event

from aml.contracts.shredding import EvidenceShredded
from aml.rules.verify import verify_bundle


@pytest.fixture
def log() -> AuditedLog:
    log = a_published_log()
    log.append(an_event(EvidenceShredded, job_id="job-1"))
    log.openings.clear()
    return log


@pytest.mark.parametrize(("scope", "jobs"), [("cycle", ()), ("job", ("job-1",)), ("board", ("job-1",))])
def test_everything_else_verifies(log: AuditedLog, scope: Any, jobs: tuple[str, ...]) -> None:
    report = verify_bundle(log.bundle(scope, jobs=jobs), log.keys)
    assert report.verified, report


def test_the_fact_is_chained_like_any_other(log: AuditedLog) -> None:
    del log.bodies[-2]
    assert not verify_bundle(log.bundle(), log.keys).verified
