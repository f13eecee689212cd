"""Questions, gold, releases and a scripted model for the judge's tests. State only what matters."""

from collections.abc import Sequence
from typing import Any

from aml.contracts.benchmark import Gold, Question
from aml.contracts.packs import AnswerRecord
from aml.contracts.participant import Memory
from aml.contracts.release import ModelSettings, Release, ScoringRule
from aml.judge.errors import ModelCallError
from aml.judge.model_calls.completion import ChatMessage, Completion
from aml.runtime.release_folder import LoadedRelease, prompt_fingerprint


def a_question(text: str = "Where does Noor live?", question_type: str = "open", **more: Any) -> Question:
    fields: dict[str, Any] = {"question_id": "q1", "category": "open", "capability": "fact_recall"}
    return Question(text=text, question_type=question_type, **(fields | more))


def a_gold(*answers: str, **more: Any) -> Gold:
    return Gold(question_id="q1", answers=answers, **more)


def an_answer(text: str) -> AnswerRecord:
    return AnswerRecord(text=text, answerer="test")


def memories(*texts: str) -> list[Memory]:
    return [Memory(id=f"m{i}", content=text) for i, text in enumerate(texts)]


def a_release(
    rule: ScoringRule | None = None,
    *,
    question_type: str = "open",
    prompts: dict[str, str] | None = None,
    answer: str = "extractive",
    judge: str = "rules",
    **more: Any,
) -> LoadedRelease:
    """One question type, bytes as tokens, and whatever `more` sets on the release."""
    prompts = prompts or {}
    fields: dict[str, Any] = {"tokenizer": "utf8-bytes"}
    release = Release(
        release_id="test",
        title="Test",
        comparable=False,
        track="textual",
        top_k=100,
        answer=ModelSettings(kind=answer, model="asked-model"),  # type: ignore[arg-type]
        judge=ModelSettings(kind=judge, model="asked-model"),  # type: ignore[arg-type]
        scoring={question_type: rule or ScoringRule(rule="rule_judge")},
        datasets=(),
        smoke_datasets=(),
        **(fields | more),
    )
    fingerprints = {name: prompt_fingerprint(text) for name, text in prompts.items()}
    return LoadedRelease(release=release, digest="0" * 64, prompts=prompts, fingerprints=fingerprints)


def a_completion(text: str, *, finish_reason: str = "stop", retry_calls: int = 0) -> Completion:
    return Completion(
        text=text,
        model="answering-model",
        system_fingerprint="fp_1",
        prompt_tokens=11,
        completion_tokens=3,
        finish_reason=finish_reason,
        primary_calls=1,
        retry_calls=retry_calls,
    )


class ScriptedModel:
    """Replies in order; an exception in the script is raised. Remembers what it was asked."""

    def __init__(self, *script: str | Completion | ModelCallError) -> None:
        self._script = list(script)
        self.asked: list[list[ChatMessage]] = []
        self.seed_steps: list[int] = []

    async def complete(self, messages: Sequence[ChatMessage], *, seed_step: int = 0) -> Completion:
        self.asked.append(list(messages))
        self.seed_steps.append(seed_step)
        step = self._script.pop(0)
        if isinstance(step, ModelCallError):
            raise step
        return a_completion(step) if isinstance(step, str) else step
