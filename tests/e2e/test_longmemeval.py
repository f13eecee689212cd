"""LongMemEval from its file to its result, on a running stack, with agents whose memory is known exactly."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.running_stack import RunningStack
from tests.factories.longmemeval import a_dataset
from tests.factories.openai_stub import OpenAiStub, running_stub

from aml.toolkit.agents import HistoryTurn, from_memory
from aml.toolkit.local import LocalStack
from aml.toolkit.longmemeval import JudgeUndecided, LongMemEval, LongMemEvalResult, OracleOptions, ReleaseNotOffered
from aml.toolkit.longmemeval.dates_in_text import mentions_date

pytestmark = pytest.mark.stack

UNKNOWN = "I do not know, that was never mentioned."


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return a_dataset(tmp_path / "d.json")


def recall(told: str) -> str:
    found = re.search(r"called (Juniper\d+)", told)
    return found.group(1) if found else UNKNOWN


class Reader:
    """Knows the last `window` turns of what it was given, and remembers how it was asked."""

    supports_timestamps = True

    def __init__(self, window: int | None = None) -> None:
        self.window = window
        self.histories: list[Sequence[HistoryTurn]] = []
        self.questions: list[tuple[str, datetime | None]] = []

    def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self.histories.append(turns)

    def reset_session(self) -> None:
        pass

    def ask(self, message: str, at: datetime | None = None) -> str:
        self.questions.append((message, at))
        known = self.histories[-1] if self.window is None else self.histories[-1][-self.window :]
        return recall(" ".join(turn.content for turn in known))


def wrong(result: LongMemEvalResult) -> set[bool]:
    """Whether the questions that were answered wrongly are abstentions."""
    return {each.abstention for each in result.questions if each.correct is False}


async def test_a_perfect_memory_is_right_everywhere(stack: RunningStack, dataset: Path) -> None:
    result = await LongMemEval(dataset, run_provenance="full").run(recall, stack=stack.stack)
    assert result.complete
    assert (result.overall_accuracy, result.accuracies.task_averaged, result.counts.correct) == (100.0, 100.0, 30)
    assert result.accuracies.axes == dict.fromkeys(result.accuracies.axes, 100.0)
    assert len(result.accuracies.axes) == 5
    assert (result.composition.questions, result.composition.abstention) == (30, 6)
    assert result.provenance is not None
    assert result.provenance.checkpoint
    assert result.provenance.judge_prompt_fingerprint is None
    async with stack.platform() as platform:
        job = await platform.job(result.job_id)
    assert (job.mode, job.release_id, job.counts.scored) == ("run", "toolkit", 30)


async def test_an_amnesiac_is_right_about_what_was_never_said(stack: RunningStack, dataset: Path) -> None:
    result = await LongMemEval(dataset, max_questions=12).run(lambda message: UNKNOWN, stack=stack.stack)
    assert wrong(result) == {False}
    assert all(each.correct for each in result.questions if each.abstention)


async def test_a_short_window_misses_what_the_oracle_finds(stack: RunningStack, dataset: Path) -> None:
    benchmark = LongMemEval(dataset, abstention_policy="exclude", preserve_session_boundaries=False)
    paired = await benchmark.run_paired(Reader(window=2), oracle=OracleOptions(), stack=stack.stack)
    assert (paired.agent_accuracy, paired.oracle_accuracy, paired.gap_points) == (0.0, 100.0, 100.0)
    assert paired.both_scored == 24
    assert [each.question_id for each in paired.agent.questions] == [
        each.question_id for each in paired.oracle.questions
    ]
    assert paired.oracle.oracle is not None
    assert (paired.oracle.oracle.gold_kept, paired.oracle.oracle.distractors_added) == (24, 0)


async def test_timestamps_only_leaves_no_date_of_ours_in_any_text(stack: RunningStack, dataset: Path) -> None:
    reader = Reader()
    result = await LongMemEval(
        dataset, max_questions=3, temporal_grounding="timestamps_only", synthetic_turn_marker="[[ours]]"
    ).run(reader, stack=stack.stack)
    turns = [turn for history in reader.histories for turn in history]
    assert result.complete
    assert not any(mentions_date(turn.content) for turn in turns)
    assert not any(mentions_date(text) for text, _ in reader.questions)
    assert all(turn.at is not None for turn in turns)
    assert {at.date().isoformat() for _, at in reader.questions if at} == {"2023-06-30"}
    assert sum(turn.content.startswith("[[ours]] ") for turn in turns) == 3 * 4 * 2


async def test_dates_stand_in_the_text_and_no_times_are_given_unless_asked_for(
    stack: RunningStack, dataset: Path
) -> None:
    reader = Reader()
    await LongMemEval(dataset, max_questions=2).run(reader, stack=stack.stack)
    assert all(turn.at is None for history in reader.histories for turn in history)
    assert all(mentions_date(history[0].content) for history in reader.histories)
    assert all(mentions_date(text) and at is None for text, at in reader.questions)


async def test_what_an_agent_raises_is_no_wrong_answer(stack: RunningStack, dataset: Path) -> None:
    def moody(message: str) -> str:
        if "reader 7?" in message:
            raise RuntimeError("no model today")
        return recall(message)

    result = await LongMemEval(dataset).run(moody, stack=stack.stack)
    (failed,) = [each for each in result.questions if each.status != "correct"]
    assert (failed.question_id, failed.status, failed.correct) == ("q007", "agent_failure", None)
    assert failed.unscored is not None
    assert "no model today" in failed.unscored.detail
    assert (result.overall_accuracy, result.counts.scored, result.complete) == (100.0, 29, False)


async def test_a_memory_s_retrieval_is_measured_by_session(stack: RunningStack, dataset: Path) -> None:
    told: dict[str, list[str]] = {}

    def add(turns: Sequence[HistoryTurn], user_id: str, session_id: str) -> None:
        told.setdefault(user_id, []).extend(turn.content for turn in turns)

    def search(query: str, user_id: str, top_k: int) -> list[str]:
        return sorted(told[user_id], key=lambda text: "neighbour" not in text)[:top_k]

    result = await LongMemEval(dataset, max_questions=10, evidence_capture="references").run(
        from_memory(add, search), stack=stack.stack
    )
    assert {each.k: each.recall_all for each in result.retrieval} == {1: 1.0, 3: 1.0, 5: 1.0, 10: 1.0}
    assert result.retrieval[0].ndcg == 1.0
    assert all(each.evidence and each.evidence.findings[0].content is None for each in result.questions)
    assert result.provenance is not None
    assert result.provenance.release_id == "toolkit-memory"


async def test_a_running_stack_does_not_know_another_judge(stack: RunningStack, dataset: Path) -> None:
    with pytest.raises(ReleaseNotOffered, match=r"aml down.*run again"):
        await LongMemEval(dataset, max_judge_retries=0).run(recall, stack=stack.stack)


def moody_judge(messages: list[dict[str, str]]) -> str:
    """Never decides on reader 2, and finds every other answer right."""
    asked = messages[-1]["content"]
    return "well, perhaps" if "reader 2?" in asked else "They agree.\ncorrect"


async def test_a_model_judge_as_the_options_want_it(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {
        "include_question_types": ("single-session-preference",),
        "judge_verdict_protocol": "free_text",
        "judge_evidence_mode": "raw",
        "max_judge_retries": 1,
        "judge_temperature": 0.25,
        "judge_max_output_tokens": 99,
        "judge_decomposition": "per_predicate_all_must_hold",
    }
    keys = tmp_path / "keys"
    keys.write_text("local\n")
    local = LocalStack(tmp_path / "home")
    stub: OpenAiStub
    async with running_stub(reply=moody_judge) as stub:
        monkeypatch.setenv("AML_OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("AML_OPENAI_API_KEYS_FILE", str(keys))
        try:
            result = await LongMemEval(dataset, **options).run(recall, stack=local, keep_stack=True)
            counted = await LongMemEval(dataset, **options, judge_failure_policy="retry_then_incorrect").run(
                recall, stack=local, keep_stack=True
            )
            with pytest.raises(JudgeUndecided, match="q002"):
                await LongMemEval(dataset, **options, judge_failure_policy="fail_run").run(recall, stack=local)
        finally:
            local.remove()
        asked = stub.requests[0]

    (undecided,) = [each for each in result.questions if each.status == "inconclusive"]
    assert undecided.question_id == "q002"
    assert (undecided.judge_primary_calls, undecided.judge_retry_calls) == (1, 1)
    assert (result.overall_accuracy, result.counts.scored, result.counts.inconclusive) == (100.0, 4, 1)
    assert result.counts.judge_calls == result.counts.judge_primary_calls + result.counts.judge_retry_calls == 6
    assert (asked["temperature"], asked["max_tokens"]) == (0.25, 99)
    decided = next(each for each in result.questions if each.status == "correct")
    assert decided.judge is not None
    assert decided.judge.raw == "They agree.\ncorrect"
    assert result.provenance is not None
    assert result.provenance.judge_system_fingerprints == ("fp_stub",)
    assert (counted.overall_accuracy, counted.counts.incorrect, counted.counts.inconclusive) == (80.0, 1, 1)
    assert result.provenance.release_id == counted.provenance.release_id if counted.provenance else False
