from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from aml.toolkit.agents.agent import HistoryTurn
from aml.toolkit.longmemeval.dates_in_text import mentions_date
from aml.toolkit.longmemeval.history import (
    SESSION_BOUNDARY_ACKNOWLEDGEMENT,
    SESSION_MARKER_PREFIX,
    UNPAIRED_USER_ACKNOWLEDGEMENT,
    LongMemEvalHistory,
)

START = datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
ASKED = datetime(2023, 6, 2, 8, 0, tzinfo=UTC)


def turns(*sessions: str) -> list[HistoryTurn]:
    """Each session is a word of roles, such as "uau"."""
    return [
        HistoryTurn(
            role={"u": "user", "a": "assistant"}[role],
            content=f"text {number}.{position}",
            session=f"s{number}",
            at=START + timedelta(days=number),
        )
        for number, session in enumerate(sessions)
        for position, role in enumerate(session)
    ]


def shapes(history: LongMemEvalHistory, *sessions: str) -> list[tuple[str, str]]:
    return [(turn.role[0], turn.content) for turn in history.chat(turns(*sessions))]


def test_sessions_begin_with_a_pair_of_ours_that_can_be_known_by_its_words() -> None:
    assert shapes(LongMemEvalHistory(dates=False), "ua", "ua") == [
        ("u", f"{SESSION_MARKER_PREFIX} 1"),
        ("a", SESSION_BOUNDARY_ACKNOWLEDGEMENT),
        ("u", "text 0.0"),
        ("a", "text 0.1"),
        ("u", f"{SESSION_MARKER_PREFIX} 2"),
        ("a", SESSION_BOUNDARY_ACKNOWLEDGEMENT),
        ("u", "text 1.0"),
        ("a", "text 1.1"),
    ]


def test_without_boundaries_nothing_but_fillers_is_ours() -> None:
    history = LongMemEvalHistory(boundaries=False, dates=False)
    assert shapes(history, "ua", "ua") == [
        ("u", "text 0.0"),
        ("a", "text 0.1"),
        ("u", "text 1.0"),
        ("a", "text 1.1"),
    ]
    assert [text for _, text in shapes(history, "uua", "u")] == [
        "text 0.0",
        UNPAIRED_USER_ACKNOWLEDGEMENT,
        "text 0.1",
        "text 0.2",
        "text 1.0",
        UNPAIRED_USER_ACKNOWLEDGEMENT,
    ]


def test_a_filler_never_closes_a_session_that_ends_with_the_assistant() -> None:
    assert [role for role, _ in shapes(LongMemEvalHistory(boundaries=False), "aau")] == ["a", "a", "u", "a"]


def test_the_dates_stand_where_the_session_begins_and_at_the_question() -> None:
    history = LongMemEvalHistory()
    told = history.chat(turns("ua"))
    assert told[0].content.endswith("2023-05-30 (Tue) 23:40")
    assert "2023-06-02 (Fri) 08:00" in history.question("When?", ASKED)
    unbound = LongMemEvalHistory(boundaries=False).chat(turns("ua", "ua"))
    assert [turn.content for turn in unbound][2] == "[2023-05-31 (Wed) 23:40] text 1.0"


def test_no_dates_means_none_in_any_text_and_the_times_stay() -> None:
    history = LongMemEvalHistory(dates=False)
    told = history.chat(turns("ua", "u"))
    assert not any(mentions_date(turn.content) for turn in told)
    assert all(turn.at is not None for turn in told)
    assert history.question("When?", ASKED) == "When?"
    assert not mentions_date(history.blob(turns("ua"), "When?", ASKED))


def test_a_text_holds_headings_dates_turns_and_the_question_last() -> None:
    text = LongMemEvalHistory().blob(turns("ua", "ua"), "Where?", ASKED)
    places = [
        text.index(part)
        for part in (f"{SESSION_MARKER_PREFIX} 1, of 2023-05-30", "text 0.1", f"{SESSION_MARKER_PREFIX} 2", "Where?")
    ]
    assert places == sorted(places)
    unbound = LongMemEvalHistory(boundaries=False).blob(turns("ua"), "Where?", None)
    assert SESSION_MARKER_PREFIX not in unbound
    assert "[2023-05-30 (Tue) 23:40] User: text 0.0" in unbound


@given(
    sessions=st.lists(st.text("ua", min_size=1, max_size=6), max_size=4),
    boundaries=st.booleans(),
    dates=st.booleans(),
    marker=st.sampled_from([None, "[[ours]]"]),
)
def test_what_is_not_ours_is_the_dataset_word_for_word(
    sessions: list[str], boundaries: bool, dates: bool, marker: str | None
) -> None:
    history = LongMemEvalHistory(boundaries=boundaries, dates=dates, marker=marker)
    told = history.chat(turns(*sessions))
    theirs = [turn.content.rpartition("] ")[2] for turn in told if not history.is_synthetic(turn)]
    assert theirs == [turn.content for turn in turns(*sessions)]
    if marker is not None:
        assert all(turn.content.startswith("[[ours]] ") for turn in told if history.is_synthetic(turn))
    roles = [turn.role for turn in told]
    assert not any(one == other == "user" for one, other in pairwise(roles))
