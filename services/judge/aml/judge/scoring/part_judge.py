"""Asks a judging model about each part of a right answer by itself, so that one verdict cannot hide what is missing."""

from typing import Literal

from msgspec.structs import replace

from aml.contracts.benchmark import Gold, Question
from aml.contracts.packs import AnswerRecord
from aml.judge.errors import UnscoredError
from aml.judge.model_calls.completion import ChatModel

from .llm_judge import RULE, JudgePrompt, judge_with_model
from .verdict import FULL, Verdict, outcome_of

Decide = Literal["all_must_hold", "majority"]
_SHOWN = 3


async def judge_by_parts(
    prompt: JudgePrompt,
    question: Question,
    gold: Gold,
    answer: AnswerRecord,
    model: ChatModel,
    *,
    readings: int,
    decide: Decide,
) -> Verdict:
    """Each line of the gold's rubric is a part; `majority` is more than half of them. One primary call a part.

    A part without a verdict leaves the question without one. Raises as `judge_with_model` does, with all calls made.
    """
    verdicts: list[Verdict] = []
    for part in gold.rubric:
        alone = replace(gold, answers=(part,), rubric=())
        try:
            verdicts.append(await judge_with_model(prompt, question, alone, answer, model, readings=readings))
        except UnscoredError as error:
            error.primary_calls += sum(verdict.primary_calls for verdict in verdicts)
            error.retry_calls += sum(verdict.retry_calls for verdict in verdicts)
            raise
    missing = [part for part, verdict in zip(gold.rubric, verdicts, strict=True) if verdict.score < FULL]
    held = len(verdicts) - len(missing)
    holds = not missing if decide == "all_must_hold" else 2 * held > len(verdicts)
    score = FULL if holds else 0
    named = "; ".join(repr(part) for part in missing[:_SHOWN])
    return Verdict(
        score=score,
        outcome=outcome_of(score),
        rule=RULE,
        reason=f"{held} of {len(verdicts)} parts hold" + (f"; missing: {named}" if missing else ""),
        judge_reply="\n".join(verdict.judge_reply or verdict.reason for verdict in verdicts),
        prompt_fingerprint=prompt.fingerprint,
        model=verdicts[0].model,
        system_fingerprint=", ".join(sorted({each.system_fingerprint for each in verdicts if each.system_fingerprint})),
        primary_calls=sum(verdict.primary_calls for verdict in verdicts),
        retry_calls=sum(verdict.retry_calls for verdict in verdicts),
    )
