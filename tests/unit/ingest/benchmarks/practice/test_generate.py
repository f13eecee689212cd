from collections import Counter
from datetime import UTC, date, datetime

import pytest

from aml.contracts.benchmark import Gold, Question, Sample
from aml.ingest.benchmarks.practice.generate import FULL_QUOTA, generate_practice

FULL = generate_practice(smoke=False)
CAPABILITIES = {"fact_recall", "multi_hop", "temporal", "knowledge_update", "preference", "abstention"}


def pairs(samples: list[Sample], capability: str | None = None) -> list[tuple[Sample, Question, Gold]]:
    return [
        (sample, question, gold)
        for sample in samples
        for question, gold in zip(sample.questions, sample.gold, strict=True)
        if capability in (None, question.capability)
    ]


def test_the_suite_is_as_large_as_promised() -> None:
    assert len(FULL) == 10
    assert all(len(sample.sessions) == 12 for sample in FULL)
    counts = Counter(question.capability for _, question, _ in pairs(FULL))
    assert counts == {capability: 10 * quota for capability, quota in FULL_QUOTA.items()}
    assert counts.total() == 140
    assert set(counts) == CAPABILITIES


def test_two_personas_speak_chinese() -> None:
    chinese = [s for s in FULL if "\u4e00" <= s.sessions[0].turns[0].content[0] <= "\u9fff"]
    assert [sample.sample_id for sample in chinese] == ["practice-09", "practice-10"]


def test_smoke_is_two_personas_with_one_question_a_capability() -> None:
    smoke = generate_practice(smoke=True)
    assert len(smoke) == 2
    for sample in smoke:
        assert {question.capability for question in sample.questions} == CAPABILITIES
        assert len(sample.questions) == 6


def test_sessions_run_over_months_in_order_and_turns_follow_their_session() -> None:
    for sample in FULL:
        times = [turn.timestamp for session in sample.sessions for turn in session.turns]
        assert None not in times
        assert times == sorted(times, key=lambda at: at or 0)
        first, last = times[0], times[-1]
        assert first is not None
        assert last is not None
        assert last - first > 90 * 86_400_000
        assert all((question.asked_at or 0) > last for question in sample.questions)


def test_no_placeholder_is_left_and_nothing_is_empty() -> None:
    for sample in FULL:
        for session in sample.sessions:
            assert len(session.turns) >= 6
            for turn in session.turns:
                assert turn.content
                assert not {"{", "}"} & set(turn.content)
    assert all(answer and "{" not in answer for _, _, gold in pairs(FULL) for answer in gold.answers)


def test_both_sides_speak_and_no_persona_hears_the_same_twice() -> None:
    for sample in FULL:
        said = [turn.content for session in sample.sessions for turn in session.turns if turn.role == "user"]
        assert len(set(said)) == len(said)
        assert {turn.role for session in sample.sessions for turn in session.turns} == {"user", "assistant"}


def test_every_answerable_question_names_evidence_and_abstention_names_none() -> None:
    for sample, question, gold in pairs(FULL):
        turns = {turn.turn_id for session in sample.sessions for turn in session.turns}
        assert set(gold.evidence) <= turns
        assert gold.abstention == (question.capability == "abstention")
        assert bool(gold.evidence) == bool(gold.answers) == (not gold.abstention)


def evidence_text(sample: Sample, gold: Gold) -> str:
    return " ".join(
        turn.content for session in sample.sessions for turn in session.turns if turn.turn_id in gold.evidence
    ).lower()


@pytest.mark.parametrize("capability", ["fact_recall", "knowledge_update", "preference"])
def test_the_evidence_holds_the_answer_word_for_word(capability: str) -> None:
    for sample, question, gold in pairs(FULL, capability):
        bare = gold.answers[-1].lower()
        assert bare in evidence_text(sample, gold), question.question_id


def test_multi_hop_needs_two_sessions() -> None:
    for _, question, gold in pairs(FULL, "multi_hop"):
        assert len({turn_id.partition(":")[0] for turn_id in gold.evidence}) == 2, question.question_id


def test_updates_are_told_after_what_they_replace() -> None:
    for sample, question, gold in pairs(FULL, "knowledge_update"):
        (new,) = gold.evidence
        assert new.partition(":")[0] > sample.sessions[0].session_id, question.question_id


def days_of(sample: Sample, gold: Gold) -> list[date]:
    at = {turn.turn_id: turn.timestamp or 0 for session in sample.sessions for turn in session.turns}
    return [datetime.fromtimestamp(at[turn_id] / 1000, UTC).date() for turn_id in gold.evidence]


@pytest.mark.parametrize(
    ("topic", "shift"), [("bridge_swim", -1), ("tooth", -3), ("street_festival", 14), ("passport", 97)]
)
def test_dates_follow_from_the_evidence_s_own_time(topic: str, shift: int) -> None:
    found = [part for part in pairs(FULL, "temporal") if part[1].question_id.endswith(topic)]
    assert found
    for sample, _, gold in found:
        (told,) = days_of(sample, gold)
        assert (date.fromisoformat(gold.answers[1]) - told).days == shift


def test_the_past_saturday_is_one_and_lies_in_the_week_before() -> None:
    found = [part for part in pairs(FULL, "temporal") if part[1].question_id.endswith("pear_tree")]
    assert found
    for sample, _, gold in found:
        planted, (told,) = date.fromisoformat(gold.answers[1]), days_of(sample, gold)
        assert planted.strftime("%w") == "6"
        assert 1 <= (told - planted).days <= 6


@pytest.mark.parametrize(("topic", "more"), [("violin_span", 0), ("coffee_span", 1)])
def test_spans_are_counted_between_the_two_messages(topic: str, more: int) -> None:
    found = [part for part in pairs(FULL, "temporal") if part[1].question_id.endswith(topic)]
    assert found
    for sample, _, gold in found:
        first, second = days_of(sample, gold)
        assert int(gold.answers[1]) == (second - first).days + more


def test_another_seed_is_another_suite() -> None:
    assert generate_practice(smoke=True, seed=1) != generate_practice(smoke=True, seed=2)
