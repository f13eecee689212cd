"""What a failed expectation says: the sentence, the reason that its author gave, and the questions to look at."""

from collections.abc import Sequence

from .question import QuestionRecord

SHOWN = 5
_LONGEST = 160


class MemoryAssertionError(AssertionError):
    """`questions` are those that stand behind it, worst first; the message lists the first five."""

    def __init__(self, sentence: str, because: str, questions: Sequence[QuestionRecord]) -> None:
        super().__init__("\n".join([_with_reason(sentence, because), *_listed(questions)]))
        self.sentence = sentence
        self.because = because
        self.questions = tuple(questions)


def _with_reason(sentence: str, because: str) -> str:
    reason = because.strip().removeprefix("because").strip()
    return f"{sentence}, because {reason}" if reason else sentence


def _listed(questions: Sequence[QuestionRecord]) -> list[str]:
    lines = [line for question in questions[:SHOWN] for line in _lines_of(question)]
    if len(questions) > SHOWN:
        lines.append(f"  … and {len(questions) - SHOWN} more")
    return lines


def _lines_of(question: QuestionRecord) -> list[str]:
    if question.unscored is not None:
        went = f"unscored in {question.unscored.stage}: {question.unscored.reason}, {question.unscored.detail}"
    else:
        went = f"answered {_short(question.answer or 'nothing')!r}, wanted {_short(question.reference)!r}"
    score = "" if question.score is None else f" ({question.score:.0f})"
    return [f"  - {question.question_id}{score}: {_short(question.text)}", f"      {went}"]


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= _LONGEST else f"{one_line[: _LONGEST - 1]}…"
