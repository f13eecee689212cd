"""Which entries a bundle holds: the wanted jobs whole, the course of the same keys' other jobs, and nobody else's."""

from tests.factories.audited_logs import AuditedLog, a_log_of, release_folder, under
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.access import KeyRevoked
from aml.contracts.release import ReleaseLocked
from aml.rules.entry import read_entry
from aml.toolkit.audit.entry_choice import EntryChoice
from aml.toolkit.event_flow import event_types


def a_log() -> AuditedLog:
    log = AuditedLog(folder=release_folder(4))
    log.append(an_event(ReleaseLocked, release_digest=log.digest))
    for job_id, key_id in (("first", "mine"), ("other", "theirs"), ("wanted", "mine")):
        for event in a_job(job_id, key_id=key_id, version_id=f"version-{job_id}"):
            log.append(under(log, event))
        log.finish(job_id)
    log.append(an_event(KeyRevoked))
    return log


def chosen(log: AuditedLog, choice: EntryChoice) -> list[tuple[str | None, str]]:
    held = [body for index, body in enumerate(log.bodies) if choice.take(index, body)]
    events = [read_entry(body).event for body in [*held, *(body for _, body in choice.later())]]
    return [(getattr(event, "job_id", None), type(event).__name__) for event in events]


def test_a_job_with_the_course_of_its_keys_others() -> None:
    log = a_log()
    choice = EntryChoice({"wanted"})
    found = chosen(log, choice)
    assert [kind for job_id, kind in found if job_id is None] == ["ReleaseLocked", "KeyRevoked"]
    assert sum(job_id == "wanted" for job_id, _ in found) == len(log.jobs["wanted"])
    assert [kind for job_id, kind in found if job_id == "first"] == [
        "JobRequested", "ChunkAdded", "JobSealed", "GatePassed"
    ]  # fmt: skip
    assert not any(job_id == "other" for job_id, _ in found)
    assert choice.releases == {log.digest: "practice-1"}
    assert choice.seen == {"first", "other", "wanted"}
    assert len(choice.decided) == 1


def test_the_whole_log() -> None:
    log = a_log()
    choice = EntryChoice(None)
    assert len(chosen(log, choice)) == len(log.bodies)
    assert len(choice.decided) == 3


def test_a_job_that_is_not_there() -> None:
    log = a_log_of()
    choice = EntryChoice({"job-9"})
    assert chosen(log, choice) == [(None, "ReleaseLocked")]
    assert "job-9" not in choice.seen


def test_every_kind_of_fact_is_an_entry() -> None:
    """One that the peek cannot read would end the export of a sound log."""
    log = AuditedLog(folder=release_folder(1))
    for event_type in event_types():
        log.append(an_event(event_type))
    choice = EntryChoice(None)
    assert len(chosen(log, choice)) == len(log.bodies) == len(event_types())
