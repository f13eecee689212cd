from tests.factories.events import EXAMPLES, JOB, an_event

from aml.contracts.seals import JobSealed
from aml.contracts.shredding import EvidenceShredded
from aml.rules.evidence_use import EvidenceUse
from aml.rules.orphans import HOUR_MS, StoredObject, find_orphans
from aml.rules.verify.citations import references

NOW = 1_000 * HOUR_MS


def used() -> EvidenceUse:
    use = EvidenceUse()
    for kind, event in EXAMPLES.items():
        if kind is not EvidenceShredded:
            use.take(event)
    return use


def an_object(digest: str | None, *, job_id: str = JOB, hours: int = 100) -> StoredObject:
    return StoredObject(
        path=f"{job_id}/{digest}", job_id=job_id, digest=digest, size=1, written_ms=NOW - hours * HOUR_MS
    )


def orphans(*objects: StoredObject, use: EvidenceUse | None = None) -> tuple[StoredObject, ...]:
    return find_orphans(objects, use or used(), now_ms=NOW)


def test_the_log_says_what_is_cited_and_when_a_job_ended() -> None:
    use = used()
    cited = {ref.digest for event in EXAMPLES.values() for _, ref in references(event)}
    assert use.cited == {JOB: cited}
    assert len(cited) > 8
    assert use.ended == {JOB: EXAMPLES[JobSealed].at}
    assert (use.jobs, use.shredded) == ({JOB}, set())


def test_what_is_cited_stays_and_what_is_not_goes() -> None:
    cited = next(iter(used().cited[JOB]))
    stray = an_object("f" * 64)
    assert orphans(an_object(cited), an_object(None), stray) == (stray,)


def test_another_jobs_citation_does_not_count() -> None:
    cited = next(iter(used().cited[JOB]))
    elsewhere = an_object(cited, job_id="job-other")
    assert orphans(elsewhere) == (elsewhere,)


def test_what_is_young_may_still_be_cited() -> None:
    assert orphans(an_object("f" * 64, hours=47), an_object(None, job_id="job-new", hours=47)) == ()


def test_a_key_of_a_job_that_never_was_is_an_orphan() -> None:
    key = an_object(None, job_id="job-rolled-back")
    assert orphans(key) == (key,)


def test_what_is_left_of_a_destroyed_job_goes_at_any_age() -> None:
    use = used()
    use.take(an_event(EvidenceShredded))
    left = (an_object(next(iter(use.cited[JOB])), hours=0), an_object(None, hours=0))
    assert orphans(*left, use=use) == left
