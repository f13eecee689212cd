"""`result.should`: a chain of expectations on a suite's result.

    result.should.have_retention_above(80, because="it plans from what it was told").have_no_hallucinations()

What was not scored is neither right nor wrong: an expectation that depends on it fails and says so.
"""

from collections.abc import Iterable
from typing import Protocol

from aml.rules.fact_match import says

from .category import PASSING, CategoryScore
from .expectation_failure import MemoryAssertionError
from .question import QuestionRecord

__tracebackhide__ = True  # pytest ends the traceback at the test's own line, where the expectation stands
_INVENTED = frozenset({"abstention", "specificity_attack"})


class Scored(Protocol):
    """What of a result is asserted on; `SuiteResult` is one."""

    @property
    def suite(self) -> str: ...
    @property
    def overall(self) -> float: ...
    @property
    def planned(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def cost(self) -> float | None: ...
    @property
    def questions(self) -> tuple[QuestionRecord, ...]: ...
    @property
    def categories(self) -> tuple[CategoryScore, ...]: ...
    def category(self, name: str) -> CategoryScore | None: ...


class Expectation:
    """Each method returns the expectation itself, or raises `MemoryAssertionError`. Scores are 0 to 100."""

    def __init__(self, result: Scored) -> None:
        self._result = result

    def be_complete(self, *, because: str = "") -> "Expectation":
        """Every question was scored."""
        missing = [question for question in self._result.questions if question.score is None]
        if missing or not self._result.questions:
            scored = self._result.planned - len(missing)
            sentence = f"expected every question to be scored, but {scored} of {self._result.planned} were"
            raise MemoryAssertionError(sentence, because, missing)
        return self

    def have_overall_above(self, score: float, *, because: str = "") -> "Expectation":
        self.be_complete(because=because)
        if self._result.overall <= score:
            sentence = f"expected an Overall above {score:g}, but it is {self._result.overall:.1f}"
            raise MemoryAssertionError(sentence, because, _worst(self._result.questions))
        return self

    def have_category_above(self, category: str, score: float, *, because: str = "") -> "Expectation":
        found = self._category(category, because)
        if found.score is None or found.score <= score:
            sentence = f"expected {_spoken(category)} above {score:g}, but it is {_shown(found)}"
            raise MemoryAssertionError(sentence, because, _worst(self._of(category)))
        return self

    def have_retention_above(self, score: float, *, because: str = "") -> "Expectation":
        return self.have_category_above("basic_retention", score, because=because)

    def have_reach_back_above(self, score: float, *, because: str = "") -> "Expectation":
        return self.have_category_above("reach_back", score, because=because)

    def have_temporal_reasoning_above(self, score: float, *, because: str = "") -> "Expectation":
        return self.have_category_above("temporal_reasoning", score, because=because)

    def have_noise_resilience_above(self, score: float, *, because: str = "") -> "Expectation":
        return self.have_category_above("noise_resilience", score, because=because)

    def have_reducer_fidelity_above(self, score: float, *, because: str = "") -> "Expectation":
        return self.have_category_above("reducer_fidelity", score, because=because)

    def reach_back_at_least(self, depth: int, *, because: str = "") -> "Expectation":
        """Every depth up to `depth` exchanges was recalled."""
        found = self._category("reach_back", because).reach_back
        reached = 0 if found is None else found.reliable_depth or 0
        if reached < depth:
            broken = [question for question in self._of("reach_back") if (question.depth or 0) > reached]
            sentence = f"expected to reach back {depth} exchanges, but it reaches {reached}"
            raise MemoryAssertionError(sentence, because, _worst(broken))
        return self

    def have_passed(self, category: str, *, because: str = "") -> "Expectation":
        """The category has its own passing score."""
        found = self._category(category, because)
        if not found.passed:
            sentence = f"expected {_spoken(category)} to pass at {found.passing:g}, but it is {_shown(found)}"
            raise MemoryAssertionError(sentence, because, _worst(self._of(category)))
        return self

    def have_no_hallucinations(self, *, because: str = "") -> "Expectation":
        """Nothing was made up: no question about what was never told got a made-up answer, and no near miss was asserted."""
        self.be_complete(because=because)
        invented = [
            question
            for question in self._result.questions
            if question.forbidden or (question.judge in _INVENTED and (question.score or 0.0) < PASSING)
        ]
        if invented:
            sentence = f"expected no hallucinations, but {_count(len(invented), 'answer')} asserted what was never told"
            raise MemoryAssertionError(sentence, because, _worst(invented))
        return self

    def have_no_forbidden_facts(self, *, because: str = "") -> "Expectation":
        self.be_complete(because=because)
        found = [question for question in self._result.questions if question.forbidden]
        if found:
            named = "; ".join(dict.fromkeys(each for question in found for each in question.forbidden))
            raise MemoryAssertionError(f"expected no forbidden facts, but found: {named[:200]}", because, _worst(found))
        return self

    def have_said(self, *facts: str, because: str = "") -> "Expectation":
        """Each fact stands in at least one answer."""
        answers = [question.answer for question in self._result.questions if question.answer]
        missing = [fact for fact in facts if not any(says(answer, (fact,)) for answer in answers)]
        if missing:
            named = ", ".join(repr(fact) for fact in missing)
            raise MemoryAssertionError(f"expected the answers to say {named}, but none does", because, ())
        return self

    def have_answered_within(self, *, seconds: float, because: str = "") -> "Expectation":
        """Each answer, not their mean."""
        slow = [question for question in self._result.questions if (question.latency_ms or 0.0) > seconds * 1000]
        if slow:
            slow.sort(key=lambda question: -(question.latency_ms or 0.0))
            worst = (slow[0].latency_ms or 0.0) / 1000
            longer = f"{_count(len(slow), 'answer')} took longer, up to {worst:.2f} s"
            sentence = f"expected every answer within {seconds:g} s, but {longer}"
            raise MemoryAssertionError(sentence, because, slow)
        return self

    def have_used_at_most(self, *, tokens: int, because: str = "") -> "Expectation":
        if self._result.tokens > tokens:
            sentence = f"expected at most {tokens:,} tokens, but {self._result.tokens:,} were used"
            raise MemoryAssertionError(sentence, because, ())
        return self

    def have_cost_at_most(self, amount: float, *, because: str = "") -> "Expectation":
        """Raises for a run without a price too: an unknown cost is not a small one."""
        if self._result.cost is None:
            sentence = f"expected a cost of at most {amount:g}, but the run has no price; give price_per_million_tokens"
            raise MemoryAssertionError(sentence, because, ())
        if self._result.cost > amount:
            sentence = f"expected a cost of at most {amount:g}, but it is {self._result.cost:g}"
            raise MemoryAssertionError(sentence, because, ())
        return self

    def _of(self, category: str) -> list[QuestionRecord]:
        return [question for question in self._result.questions if question.category == category]

    def _category(self, name: str, because: str) -> CategoryScore:
        category = name.strip().lower().replace("-", "_").replace(" ", "_")
        found = self._result.category(category) or self._result.category(name)
        if found is None:
            there = ", ".join(each.category for each in self._result.categories) or "none"
            sentence = f"expected the category {name}, but the suite {self._result.suite} ran: {there}"
            raise MemoryAssertionError(sentence, because, ())
        if found.unscored:
            missing = [question for question in self._of(found.category) if question.score is None]
            sentence = f"expected {_spoken(found.category)} to be scored, but {found.scored} of {found.planned} were"
            raise MemoryAssertionError(sentence, because, missing)
        return found


def _worst(questions: Iterable[QuestionRecord]) -> list[QuestionRecord]:
    failed = [question for question in questions if question.score is not None and question.score < 100]
    return sorted(failed, key=lambda question: (question.score or 0.0, question.question_id))


def _spoken(category: str) -> str:
    return category.replace("_", " ")


def _shown(found: CategoryScore) -> str:
    return (
        "not scored"
        if found.score is None
        else f"{found.score:.1f} ({found.low:.1f} to {found.high:.1f}, n = {found.scored})"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
