"""The gate's words to the reviewer about fair play: they pass always, and say what to look at."""

from tests.factories.events import JOB, an_event

from aml.contracts.events import Event
from aml.contracts.fair_play import FlagCount, IsolationProbed, SearchFlagged
from aml.contracts.jobs import JobRequested
from aml.rules.entry import ReadEntry
from aml.rules.gate_fair_play import check_fair_play
from aml.rules.identity import event_id


def entries(*events: Event) -> list[ReadEntry]:
    return [
        ReadEntry(index=40 + place, job_seq=place, prev=None, leaf="0" * 64, event_id=event_id(event), event=event)
        for place, event in enumerate(events)
    ]


def ends(*events: Event, **request: str) -> dict[str, tuple[bool, str, tuple[int, ...]]]:
    checks = check_fair_play(an_event(JobRequested, **request), entries(*events))
    return {check.name: (check.passed, check.code, check.entries) for check in checks}


KEPT = an_event(IsolationProbed, outcome="kept")
LEAKED = an_event(IsolationProbed, outcome="leaked")
UNANSWERED = an_event(IsolationProbed, outcome="unanswered", memories=None)


def test_an_honest_run_is_ok() -> None:
    assert ends(KEPT, KEPT) == {"fair_play": (True, "ok", (40,)), "isolation": (True, "ok", (40, 41))}


def test_flags_are_counted_and_their_entries_named_and_nobody_is_refused() -> None:
    foreign = an_event(SearchFlagged, flags=(FlagCount(kind="foreign", items=2),))
    checks = check_fair_play(an_event(JobRequested), entries(foreign, an_event(SearchFlagged), KEPT))
    assert checks[0].code == "flagged"
    assert checks[0].passed
    assert checks[0].found == "2 questions with flagged items: foreign 4, instruction 1"
    assert checks[0].entries == (40, 41)


def test_a_leak_is_named_and_passes() -> None:
    assert ends(KEPT, LEAKED)["isolation"] == (True, "leaked", (41,))


def test_a_run_without_an_answered_canary_says_so() -> None:
    assert ends(UNANSWERED)["isolation"] == (True, "not_probed", (40,))
    assert ends()["isolation"] == (True, "not_probed", ())


def test_a_smoke_has_no_canaries_and_needs_none() -> None:
    assert ends(mode="smoke")["isolation"] == (True, "ok", ())


def test_a_baseline_has_nobody_to_be_unfair() -> None:
    assert ends(arm="oracle", job_id=JOB) == {}
