"""A job's story: complete, bounded to one line an event, and the same every time."""

from tests.factories.audited_logs import a_published_log
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job, chained

from aml.contracts.jobs import JobFailed
from aml.contracts.seals import GatePassed
from aml.toolkit.audit.replay import replay


def test_a_finished_job() -> None:
    lines = list(replay(a_published_log().jobs["job-1"]))
    assert len(lines) == len(a_job()) + 3
    assert "requested: Recollect" in lines[0]
    assert "planned: 1 samples, 2 chunks, 4 questions" in lines[1]
    assert lines[4].endswith("[2/2]")
    assert sum("[3 correct of 4/4]" in line for line in lines) == 1
    assert "sealed completed" in lines[-3]
    assert "gate passed: Overall 75.00 %" in lines[-2]
    assert "approve" in lines[-1]


def test_the_same_entries_tell_the_same_story() -> None:
    entries = a_published_log().jobs["job-1"]
    assert list(replay(entries)) == list(replay(entries))


def test_until_stops_after_so_many_entries() -> None:
    entries = a_published_log().jobs["job-1"]
    assert list(replay(entries, until=5)) == list(replay(entries))[:5]


def test_a_refusal_names_its_codes() -> None:
    claim = next(each.event for each in a_published_log().jobs["job-1"] if isinstance(each.event, GatePassed))
    from msgspec.structs import replace

    from aml.contracts.seals import GateRefused

    checks = (replace(claim.checks[0], passed=False, code="mode_not_full"), *claim.checks[1:])
    refused = GateRefused(
        at=claim.at, job_id="job-1", subject=claim.subject, seal=claim.seal, result=claim.result, checks=checks
    )
    [line] = replay(chained([refused]))
    assert line.endswith(f"{len(checks) - 1} of {len(checks)} checks passed: mode_not_full")


def test_foreign_text_stays_on_one_line_and_short() -> None:
    failed = an_event(JobFailed, job_id="job-1", detail="a\nb\x1b[31m" + "x" * 1000)
    [line] = replay(chained([failed]))
    assert line.isprintable()
    assert len(line) < 260
