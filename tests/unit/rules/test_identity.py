"""A fact's subject is its natural key, and its id follows from it."""

import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.events import EXAMPLES, an_event

from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.envelope import UnitFact
from aml.contracts.events import Event, decode_event, encode_event
from aml.contracts.jobs import JobPlanned
from aml.contracts.release import ReleaseLocked
from aml.contracts.units import ChunkAdded, QuestionOpened, UnitRequeued
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.rules.identity import SUBJECT_ROOT, event_id, event_id_at, event_name, job_subject, subject_of, unit_of

TOKEN = re.compile(r"[A-Za-z0-9_-]+")
tokens = st.from_regex(r"[A-Za-z0-9_-]{1,80}", fullmatch=True)
keys = st.lists(st.text(), min_size=1, max_size=4)
examples = pytest.mark.parametrize("event", EXAMPLES.values(), ids=lambda event: type(event).__name__)


@examples
def test_every_token_of_a_subject_is_one_that_the_broker_accepts(event: Event) -> None:
    assert subject_of(event).startswith(f"{SUBJECT_ROOT}.")
    assert all(TOKEN.fullmatch(token) for token in subject_of(event).split("."))


@examples
def test_identity_survives_the_wire(event: Event) -> None:
    assert event_id(decode_event(encode_event(event))) == event_id(event)


@examples
def test_when_it_was_decided_changes_no_identity(event: Event) -> None:
    assert event_id(an_event(type(event), at=event.at + 1)) == event_id(event)


@examples
def test_the_id_is_known_from_the_subject_alone(event: Event) -> None:
    assert event_id_at(subject_of(event)) == event_id(event)
    assert uuid.UUID(event_id(event)).version == 5


def test_facts_of_different_kinds_never_share_a_subject_but_for_a_questions_two_endings() -> None:
    subjects = {event_type: subject_of(event) for event_type, event in EXAMPLES.items()}
    assert subjects[AnswerScored] == subjects[UnitUnscored]
    assert len(set(subjects.values())) == len(subjects) - 1


@given(st.tuples(tokens, tokens), st.tuples(tokens, tokens))
def test_a_unit_facts_subject_is_its_job_and_unit(one: tuple[str, str], other: tuple[str, str]) -> None:
    first, second = (an_event(ChunkAdded, job_id=job_id, unit=unit) for job_id, unit in (one, other))
    assert (subject_of(first) == subject_of(second)) is (one == other)
    assert (event_id(first) == event_id(second)) is (one == other)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_each_review_decision_and_each_board_version_has_a_subject_of_its_own(one: int, other: int) -> None:
    reviews = [subject_of(an_event(ReviewDecided, number=number)) for number in (one, other)]
    boards = [subject_of(an_event(BoardPublished, version=version)) for version in (one, other)]
    assert (reviews[0] == reviews[1]) is (boards[0] == boards[1]) is (one == other)


@pytest.mark.parametrize("field", ["release_digest", "pipeline_digest"])
def test_a_release_is_locked_anew_for_other_files_or_other_code(field: str) -> None:
    assert subject_of(an_event(ReleaseLocked)) != subject_of(an_event(ReleaseLocked, **{field: "f" * 64}))


@given(keys, keys)
def test_a_units_name_is_its_key(one: list[str], other: list[str]) -> None:
    assert (unit_of(*one) == unit_of(*other)) is (one == other)


@given(keys)
def test_a_units_name_is_a_token(key: list[str]) -> None:
    assert re.fullmatch("[0-9a-f]{20}", unit_of(*key))


def test_parts_of_a_key_cannot_run_together() -> None:
    assert len({unit_of("ab", "c"), unit_of("a", "bc"), unit_of("abc"), unit_of("abc", "")}) == 4


def test_a_lone_surrogate_in_a_benchmarks_id_has_a_name_too() -> None:
    assert unit_of("\ud83d") != unit_of("?")


def test_a_units_name_is_pinned() -> None:
    """Another hash would give every stored unit another identity; the events' own ids are pinned by the golden files."""
    assert unit_of("practice", "persona-3") == "e971138ddd84fd2667bc"


def test_filters_match_what_is_published() -> None:
    opened = an_event(QuestionOpened)
    assert job_subject(opened.job_id, QuestionOpened, opened.unit) == subject_of(opened)
    assert job_subject("*", QuestionOpened, "*") == "aml.v1.job.*.question_opened.*"
    assert job_subject("job-1", JobPlanned) == "aml.v1.job.job-1.job_planned"


def test_event_names_are_tags_without_their_version() -> None:
    assert event_name(UnitRequeued) == "unit_requeued"
    assert event_name(AnswerScored) == event_name(UnitUnscored) == "question_ended"


def test_a_requeue_stands_beside_the_fact_that_it_repeats() -> None:
    requeued = an_event(UnitRequeued)
    assert isinstance(requeued, UnitFact)
    assert requeued.trigger == subject_of(an_event(QuestionOpened))
