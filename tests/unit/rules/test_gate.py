from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked, sealed

from aml.contracts.boards import ReviewDecided
from aml.contracts.events import Event
from aml.contracts.jobs import JobPlanned, JobRequested
from aml.contracts.release import Quotas
from aml.contracts.seals import GatePassed, JobSealed
from aml.contracts.units import AnswerGenerated
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.rules.entry import ReadEntry
from aml.rules.gate import (
    BundleIncomplete,
    EarlierPass,
    GateBundle,
    GateDecision,
    evaluate_gate,
    publication_allowed,
    row_subject,
)


def a_bundle(entries: list[ReadEntry] | None = None, **changes: Any) -> GateBundle:
    fields: dict[str, Any] = {
        "entries": tuple(entries or sealed(a_job(), start=1)),
        "release": a_release(),
        "locks": ((0, a_release_locked()),),
        "earlier": (),
    }
    return GateBundle(**(fields | changes))


def decide(events: list[Event], **changes: Any) -> GateDecision:
    return evaluate_gate(a_bundle(sealed(events, start=1), **changes))


def codes(decision: GateDecision) -> list[str]:
    return [check.code for check in decision.checks if not check.passed]


def altered(kind: type, change: Callable[[Any], Any]) -> list[Event]:
    """The job's events with the first of `kind` changed, or left out where `change` gives None."""
    events = a_job()
    at = next(at for at, each in enumerate(events) if isinstance(each, kind))
    new = change(events[at])
    return [*events[:at], *([new] if new is not None else []), *events[at + 1 :]]


def test_a_complete_job_under_its_release_passes() -> None:
    decision = evaluate_gate(a_bundle())
    assert codes(decision) == []
    assert decision.passed
    assert decision.result.overall == 750_000
    assert decision.subject == row_subject(a_job()[0])  # type: ignore[arg-type]


def test_the_same_bundle_gives_the_same_decision() -> None:
    assert evaluate_gate(a_bundle()) == evaluate_gate(a_bundle())


@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        (JobRequested, lambda e: replace(e, mode="smoke"), "mode_not_full"),
        (JobRequested, lambda e: replace(e, top_k=50), "other_top_k"),
        (JobRequested, lambda e: replace(e, allow_private=True), "private_addresses"),
        (JobRequested, lambda e: replace(e, track="coding"), "other_track"),
        (JobRequested, lambda e: replace(e, release_digest=a_digest("other")), "release_not_locked"),
        (JobRequested, lambda e: replace(e, pipeline_digest=a_digest("other")), "pipeline_not_locked"),
        (JobRequested, lambda e: replace(e, datasets=(replace(e.datasets[0], limit=4),)), "limited_dataset"),
        (JobPlanned, lambda e: replace(e, release_digest=a_digest("other")), "planned_otherwise"),
        (JobPlanned, lambda e: replace(e, datasets=(replace(e.datasets[0], sha256=a_digest("x")),)), "other_datasets"),
        (JobPlanned, lambda e: replace(e, questions=5), "plan_disagrees"),
        (JobPlanned, lambda e: None, "no_plan"),
        (AnswerScored, lambda e: None, "questions_missing"),
        (AnswerScored, lambda e: replace(e, index=9), "not_planned"),
        (AnswerScored, lambda e: replace(e, dataset="other"), "not_planned"),
        (AnswerScored, lambda e: replace(e, category="temporal"), "categories_differ"),
        (AnswerScored, lambda e: replace(e, rule="llm_judge"), "other_rule"),
        (AnswerGenerated, lambda e: replace(e, answerer="openai"), "other_answerer"),
    ],
)
def test_one_deviation_is_refused_with_its_code(kind: type, change: Callable[[Any], Any], code: str) -> None:
    decision = decide(altered(kind, change))
    assert not decision.passed
    assert code in codes(decision)


def test_an_unscored_question_is_refused_with_its_reason_and_entry() -> None:
    events = a_job()
    last = events[-1]
    assert isinstance(last, AnswerScored)
    events[-1] = an_event(
        UnitUnscored, job_id=last.job_id, unit=last.unit, sample=last.sample, index=last.index, category=last.category
    )
    decision = decide(events)
    check = next(check for check in decision.checks if check.code == "unscored_questions")
    assert (check.found, check.entries) == ("transport 1", (len(events),))
    assert decision.result.overall is None


def test_a_question_scored_twice_is_refused() -> None:
    events = a_job()
    decision = decide([*events, replace(events[-1], unit="another")])
    assert "scored_twice" in codes(decision)


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_job_that_did_not_complete_is_refused(state: str) -> None:
    assert f"job_{state}" in codes(evaluate_gate(a_bundle(sealed(a_job(), start=1, state=state))))


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"entries": 99}, "seal_count"), ({"entries": 5}, "seal_leaf"), ({"last_leaf": "0" * 64}, "seal_leaf")],
)
def test_a_seal_that_does_not_fit_is_refused(changes: dict[str, Any], code: str) -> None:
    assert code in codes(evaluate_gate(a_bundle(sealed(a_job(), start=1, **changes))))


def test_an_entry_taken_out_is_named() -> None:
    entries = sealed(a_job(), start=1)
    del entries[6]
    decision = evaluate_gate(a_bundle(entries))
    check = next(check for check in decision.checks if check.name == "chain")
    assert (check.code, check.entries) == ("chain_gap", (8,))


def test_an_entry_swapped_is_named_by_the_one_after_it() -> None:
    entries = sealed(a_job(), start=1)
    entries[6] = replace(entries[6], leaf="0" * 64)
    check = next(check for check in evaluate_gate(a_bundle(entries)).checks if check.name == "chain")
    assert (check.code, check.entries) == ("chain_broken", (8,))


def test_facts_behind_the_sealed_end_change_nothing() -> None:
    events = a_job()
    late = replace(events[-1], unit="late", index=7)
    on_time = evaluate_gate(a_bundle(sealed(events, start=1)))
    count = len(events)
    chain = sealed([*events, late], start=1, entries=count, last_leaf=sealed(events, start=1)[count - 1].leaf)
    decision = evaluate_gate(a_bundle(chain))
    assert decision.passed
    assert decision.result == on_time.result


@pytest.mark.parametrize(
    ("release", "locks", "code"),
    [(None, ((0, a_release_locked()),), "release_unknown"), (a_release(), (), "release_not_locked")],
)
def test_an_unknown_or_unlocked_release_is_refused(release: Any, locks: Any, code: str) -> None:
    assert code in codes(evaluate_gate(a_bundle(release=release, locks=locks)))


def test_a_version_passes_once_under_a_release() -> None:
    subject = row_subject(a_job()[0])  # type: ignore[arg-type]
    earlier = EarlierPass(index=3, job_id="job-0", subject=subject)
    assert codes(evaluate_gate(a_bundle(earlier=(earlier,)))) == ["already_passed"]


@pytest.mark.parametrize("change", [{"version_id": "v2"}, {"arm": "oracle"}, {"release_digest": a_digest("r2")}])
def test_another_version_arm_or_release_does_not_stand_in_the_way(change: dict[str, Any]) -> None:
    subject = replace(row_subject(a_job()[0]), **change)  # type: ignore[arg-type]
    assert evaluate_gate(a_bundle(earlier=(EarlierPass(index=3, job_id="job-0", subject=subject),))).passed


def history_of(*, count: int, **request: Any) -> tuple[ReadEntry, ...]:
    """Earlier jobs of the same key, each complete and sealed, as the log tells of them."""
    found: list[ReadEntry] = []
    for n in range(count):
        found += sealed([replace(a_job(f"old-{n}")[0], **request)])
    return tuple(found)


def test_within_the_quota_a_job_passes() -> None:
    free = Quotas(full_per_cycle=2, full_interval_days=0)
    assert evaluate_gate(a_bundle(release=a_release(quotas=free), history=history_of(count=1))).passed


@pytest.mark.parametrize(
    ("quotas", "count"), [(Quotas(full_per_cycle=2, full_interval_days=0), 2), (Quotas(full_interval_days=30), 1)]
)
def test_a_job_beyond_the_quota_is_refused(quotas: Quotas, count: int) -> None:
    decision = evaluate_gate(a_bundle(release=a_release(quotas=quotas), history=history_of(count=count)))
    assert codes(decision) == ["quota_exceeded"]


@pytest.mark.parametrize("other", [{"mode": "smoke"}, {"arm": "oracle"}, {"key_id": "another"}, {"release_id": "r2"}])
def test_only_full_runs_of_the_same_key_and_release_use_the_quota(other: dict[str, Any]) -> None:
    strict = a_release(quotas=Quotas(full_per_cycle=1, full_interval_days=30))
    assert evaluate_gate(a_bundle(release=strict, history=history_of(count=3, **other))).passed


def test_without_a_request_or_a_seal_there_is_nothing_to_decide() -> None:
    with pytest.raises(BundleIncomplete, match="JobSealed"):
        evaluate_gate(a_bundle(sealed(a_job(), start=1)[:-1]))
    with pytest.raises(BundleIncomplete, match="JobRequested"):
        evaluate_gate(a_bundle(sealed(a_job(), start=1)[1:]))


def a_review(number: int, decision: str, seal: str = a_digest("seal")) -> ReviewDecided:
    return an_event(ReviewDecided, number=number, decision=decision, seal=seal)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("reviews", "code"),
    [
        ([], "not_reviewed"),
        ([a_review(1, "approve")], "ok"),
        ([a_review(2, "withdraw"), a_review(1, "approve")], "withdraw"),
        ([a_review(1, "decline"), a_review(2, "approve")], "ok"),
        ([a_review(1, "approve", seal=a_digest("another"))], "other_result_reviewed"),
        ([replace(a_review(1, "approve"), job_id="other")], "not_reviewed"),
    ],
)
def test_the_last_review_of_this_very_result_decides(reviews: list[ReviewDecided], code: str) -> None:
    found = publication_allowed(an_event(GatePassed), reviews)
    assert (found.code, found.allowed) == (code, code == "ok")


def test_the_seal_is_what_the_decision_names() -> None:
    entries = sealed(a_job(), start=1)
    assert isinstance(entries[-1].event, JobSealed)
    assert evaluate_gate(a_bundle(entries)).seal == entries[-1].leaf


ALL_CHECKS = {
    "mode", "chain", "seal", "state", "plan", "scored", "extras", "unscored", "categories", "release_digest", "pipeline",
    "planned_release", "planned_pipeline", "track", "top_k", "limits", "addresses", "datasets", "answerer", "scoring",
    "judge_calibrated", "overall", "unique", "quota", "fair_play", "isolation", "duplicates",
}  # fmt: skip


def test_every_check_says_what_it_expected_and_found_and_names_an_entry() -> None:
    checks = evaluate_gate(a_bundle()).checks
    assert {check.name for check in checks} == ALL_CHECKS
    assert [check.name for check in checks if not (check.expected and check.found and check.entries)] == []


@pytest.mark.parametrize("kind", [JobPlanned, AnswerScored])
def test_a_refusal_names_an_entry_too(kind: type) -> None:
    decision = decide(altered(kind, lambda event: None))
    refused = [check for check in decision.checks if not check.passed]
    assert refused
    assert [check.name for check in refused if not check.entries] == []
