import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.benchmark import Sample, Session, Turn
from aml.toolkit.longmemeval.dates_in_text import DateWatch, dates_of, mentions_date

SHARED = Path(__file__).parents[4] / "../shared/data/longmemeval/longmemeval-like.json"


@pytest.mark.parametrize(
    "text",
    [
        "on 2023-05-30",
        "on 2023/5/3.",
        "5/30/2023",
        "30.05.2023",
        "May 30th, 2023",
        "since Sept. 4",
        "30 May 2023",
        "the 3rd of March",
        "in February 2024",
    ],
)
def test_a_calendar_date_is_found(text: str) -> None:
    assert mentions_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "it may rain",
        "in 2023",
        "version 3.11.7",
        "room 12/14",
        "eight weeks from today",
        "march 100 miles",
        "at 23:40",
        "may 32",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert not mentions_date(text)


def test_the_dates_themselves() -> None:
    assert list(dates_of("met on May 3 and June 4, 2023, at 9")) == ["May 3", "June 4, 2023"]
    assert list(dates_of("nothing")) == []


@given(before=st.text(max_size=40), after=st.text(max_size=40))
def test_a_date_is_found_whatever_stands_around_it(before: str, after: str) -> None:
    for date in ("30th of September 2023", "September 30th, 2023", "2023-05-30", "February 2024"):
        assert mentions_date(f"{before} {date} {after}")


def a_session(name: str, *texts: str, at: int | None = None) -> Session:
    return Session(
        session_id=name,
        turns=tuple(
            Turn(turn_id=f"{name}:{number}", role="user", content=text, timestamp=at)
            for number, text in enumerate(texts)
        ),
    )


def test_sessions_with_dates_are_counted_whatever_their_turns() -> None:
    watch = DateWatch()
    watch.see(
        Sample(
            sample_id="x",
            sessions=(a_session("a", "May 3", "May 4", at=5), a_session("b", "none", at=9)),
            questions=(),
            gold=(),
        )
    )
    report = watch.report("timestamps_only")
    assert (report.sessions, report.sessions_with_dates, report.leak) == (2, 1, 0.5)
    assert (report.earliest, report.latest) == (5, 9)


def test_nothing_seen_leaks_nothing() -> None:
    assert DateWatch().report("none").leak is None


def test_the_real_sessions_leak_some_dates() -> None:
    if not SHARED.exists():
        pytest.skip("the shared LongMemEval sessions are not here")
    records = json.loads(SHARED.read_text())
    sessions = {
        name: session
        for record in records
        for name, session in zip(record["haystack_session_ids"], record["haystack_sessions"], strict=True)
    }
    dated = sum(any(mentions_date(turn["content"]) for turn in session) for session in sessions.values())
    assert 0.05 < dated / len(sessions) < 0.5
