"""Asks a chat model, with the release's prompt around the question and the memories."""

from collections.abc import Sequence
from datetime import UTC, datetime
from string import ascii_lowercase

from aml.contracts.benchmark import Question
from aml.contracts.participant import Memory
from aml.judge.model_calls.completion import ChatModel, Completion
from aml.judge.model_calls.prompt_template import fill_template

from .memory_text import created_on, text_of

ANSWER_VALUES = frozenset({"question", "asked_at", "options", "memories"})
"""What an answer prompt may ask for, beside `{{fence}}`."""


async def answer_with_model(
    template: str, question: Question, memories: Sequence[Memory], model: ChatModel
) -> Completion:
    """Raises `aml.judge.errors.ModelCallError`; a cut-off answer that has text is an answer."""
    return await model.complete(fill_template(template, answer_values(question, memories)))


def answer_values(question: Question, memories: Sequence[Memory]) -> dict[str, str]:
    return {
        "question": question.text,
        "asked_at": "not given" if question.asked_at is None else _day(question.asked_at),
        "options": "\n".join(f"({ascii_lowercase[i]}) {option}" for i, option in enumerate(question.options)),
        "memories": "\n".join(map(_listed, range(1, len(memories) + 1), memories)) or "(none)",
    }


def _listed(number: int, memory: Memory) -> str:
    created = created_on(memory)
    return f"{number}. {text_of(memory)}" if created is None else f"{number}. (stored {created}) {text_of(memory)}"


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M (%A)")
