"""Answers one question the way its release says."""

from collections.abc import Sequence

from msgspec import Struct

from aml.contracts.benchmark import Question
from aml.contracts.packs import AnswerRecord
from aml.contracts.participant import Memory
from aml.judge.errors import ReleaseGap
from aml.judge.model_calls.completion import ChatModel
from aml.judge.release_rules import rule_for
from aml.runtime.release_folder import LoadedRelease

from .agent_reply import AGENT, agents_answer
from .context_window import fit_context
from .extractive import ANSWERER, answer_extractively
from .memory_text import texts_of
from .openai_chat import answer_with_model
from .tokenizer import token_counter


class AnswerDraft(Struct, frozen=True, kw_only=True):
    """What `AnswerGenerated` needs, beside the evidence reference and the latency."""

    record: AnswerRecord
    context_items: int = 0
    prompt_tokens: int = 0
    """As the endpoint counted them; for the extractive answerer the tokens of the memories that it read."""
    completion_tokens: int = 0
    primary_calls: int = 0
    retry_calls: int = 0
    system_fingerprint: str | None = None


async def answer(
    question: Question, memories: Sequence[Memory], release: LoadedRelease, model: ChatModel | None = None
) -> AnswerDraft:
    """`model` is the answering model of a release that has one. Raises `aml.judge.errors.UnscoredError`."""
    rule = rule_for(question, release)
    count = token_counter(release.release.tokenizer)
    texts = texts_of(memories)
    fit = fit_context(texts, release.release.context_tokens, count)
    kept = texts[: fit.items]
    if release.release.answer.kind == "extractive":
        return AnswerDraft(
            record=AnswerRecord(text=answer_extractively(question.text, kept, question.options), answerer=ANSWERER),
            context_items=fit.items,
            prompt_tokens=sum(map(count, kept)),
        )
    if release.release.answer.kind == "agent":
        return AnswerDraft(
            record=AnswerRecord(text=agents_answer(texts), answerer=AGENT),
            completion_tokens=sum(map(count, texts)),
        )
    if model is None or rule.answer_prompt is None:
        raise ReleaseGap("internal", f"release {release.release.release_id} answers with a model, and none was given")
    reply = await answer_with_model(release.prompts[rule.answer_prompt], question, memories[: fit.items], model)
    return AnswerDraft(
        record=AnswerRecord(
            text=reply.text.strip(),
            answerer="openai",
            model=reply.model,
            prompt_fingerprint=release.fingerprints[rule.answer_prompt],
            finish_reason=reply.finish_reason,
        ),
        context_items=fit.items,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        primary_calls=reply.primary_calls,
        retry_calls=reply.retry_calls,
        system_fingerprint=reply.system_fingerprint,
    )
