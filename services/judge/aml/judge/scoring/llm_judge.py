"""Asks a judging model for a verdict, and takes nothing but a verdict from it."""

from msgspec import Struct

from aml.contracts.benchmark import Gold, Question
from aml.contracts.packs import AnswerRecord
from aml.judge.errors import ModelCallError, VerdictUnreadable
from aml.judge.model_calls.completion import ChatMessage, ChatModel, Completion
from aml.judge.model_calls.prompt_template import fill_template

from .verdict import FULL, Verdict, outcome_of
from .verdict_parse import ParsedVerdict, parse_verdict

JUDGE_VALUES = frozenset({"question", "reference", "rubric", "answer"})
"""What a judge prompt may ask for, beside `{{fence}}`."""

RULE = "llm_judge"


class JudgePrompt(Struct, frozen=True, kw_only=True):
    template: str
    fingerprint: str


async def judge_with_model(
    prompt: JudgePrompt, question: Question, gold: Gold, answer: AnswerRecord, model: ChatModel, *, readings: int
) -> Verdict:
    """Reads at most `readings` replies; an empty answer is wrong without asking.

    Raises `VerdictUnreadable` or `ModelCallError`, with the calls made.
    """
    if not answer.text.strip():
        return Verdict(
            score=0, outcome="incorrect", rule=RULE, reason="the answer is empty", prompt_fingerprint=prompt.fingerprint
        )
    messages = fill_template(prompt.template, judge_values(question, gold, answer))
    primary_calls = retry_calls = 0
    reply = ""
    for reading in range(readings):
        completion = await _ask(model, messages, reading, retry_calls)
        primary_calls, retry_calls = 1, retry_calls + completion.retry_calls + (1 if reading else 0)
        reply = completion.text
        # A judge that was cut off may have been about to contradict what it quoted.
        parsed = None if completion.finish_reason == "length" else parse_verdict(reply)
        if parsed is not None:
            return _verdict(
                parsed, completion, prompt.fingerprint, primary_calls=primary_calls, retry_calls=retry_calls
            )
    # Not what it said: this goes to the participant, and a judge's words can tell the gold that its release keeps back.
    detail = f"no verdict in {readings} replies; the last had {len(reply)} characters"
    raise VerdictUnreadable("judge", detail, primary_calls=primary_calls, retry_calls=retry_calls)


def judge_values(question: Question, gold: Gold, answer: AnswerRecord) -> dict[str, str]:
    reference, *others = gold.answers or ("",)
    return {
        "question": question.text,
        "reference": "\n".join((reference, *(f"also acceptable: {other}" for other in others))),
        "rubric": "\n".join(f"- {line}" for line in (*gold.rubric, *_fact_lines(gold))) or "(none)",
        "answer": answer.text,
    }


def _fact_lines(gold: Gold) -> list[str]:
    needed = [f"needed: {' or '.join(fact.any)}" for fact in gold.facts or ()]
    return needed + [f"forbidden: {' or '.join(ways)}" for ways in gold.forbidden or ()]


async def _ask(model: ChatModel, messages: list[ChatMessage], reading: int, retry_calls: int) -> Completion:
    """One reading. A failure on a later one still counts the readings before it."""
    try:
        return await model.complete(messages, seed_step=reading)
    except ModelCallError as error:
        if reading:
            error.primary_calls, error.retry_calls = 1, retry_calls + error.primary_calls + error.retry_calls
        raise


def _verdict(
    parsed: ParsedVerdict, completion: Completion, fingerprint: str, *, primary_calls: int, retry_calls: int
) -> Verdict:
    score = FULL if parsed.correct else 0
    return Verdict(
        score=score,
        outcome=outcome_of(score),
        rule=RULE,
        reason=parsed.reason or ("judged correct" if parsed.correct else "judged incorrect"),
        judge_reply=completion.text,
        prompt_fingerprint=fingerprint,
        model=completion.model,
        system_fingerprint=completion.system_fingerprint,
        primary_calls=primary_calls,
        retry_calls=retry_calls,
    )
