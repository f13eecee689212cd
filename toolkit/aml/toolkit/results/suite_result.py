"""A suite's result. Scores are 0 to 100; intervals are two-sided 95 %."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from aml.contracts.vocabulary import Language

from .category import PASSING, Axis, CategoryScore
from .expectation import Expectation
from .provenance import Provenance
from .question import QuestionRecord

if TYPE_CHECKING:
    from aml.toolkit.baselines.baseline import Baseline


class Latency(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of the agent's answers, milliseconds, nearest rank."""

    answers: int
    p50: float | None
    p95: float | None


class Spread(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Over repeats of the same run: what of a difference is chance."""

    overall: tuple[float | None, ...]
    """One value a repeat."""
    low: float | None
    high: float | None

    @property
    def points(self) -> float | None:
        return None if self.low is None or self.high is None else round(self.high - self.low, 2)


class SuiteResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: str
    suite: str
    started_at: str
    """RFC 3339, UTC."""
    seconds: float
    model: str | None
    categories: tuple[CategoryScore, ...]
    skipped: tuple[str, ...]
    """Categories of the suite for which nothing was planned; their weights went to the others."""
    overall: float
    """Weighted mean over the categories that were planned; an errored one counts 0."""
    low: float | None
    high: float | None
    capability: float | None
    """The same mean without errored categories; None where all are."""
    grade: str
    stars: int
    complete: bool
    """False where any question is unscored: then no score here is final."""
    axes: tuple[Axis, ...]
    latency: Latency
    tokens: int
    """Sum of the answers' prompt tokens, as counted by the platform."""
    cost: float | None
    """In the currency of the price that the caller gave; None without one."""
    questions: tuple[QuestionRecord, ...]
    provenance: Provenance
    spread: Spread | None = None

    @property
    def planned(self) -> int:
        return len(self.questions)

    @property
    def unscored(self) -> int:
        return sum(question.score is None for question in self.questions)

    @property
    def passed(self) -> bool:
        """Complete, with an Overall of at least 70."""
        return self.complete and self.overall >= PASSING

    @property
    def should(self) -> Expectation:
        """Expectations that chain; see `Expectation`."""
        return Expectation(self)

    def category(self, name: str) -> CategoryScore | None:
        return next((each for each in self.categories if each.category == name), None)

    def export_html(
        self,
        path: str | Path,
        *,
        overlay: "Sequence[SuiteResult | Baseline]" = (),
        language: Language = "en",
    ) -> Path:
        """One offline file: this result, with other runs and baselines over it. Raises `ReportUnwritable`."""
        # Here, since a result that is only asserted on should not load what draws pages.
        from aml.toolkit.report.report_file import export_result  # noqa: PLC0415

        return export_result(self, path, overlay, language)

    def to_json(self) -> bytes:
        """The same result gives the same bytes."""
        return msgspec.json.format(msgspec.json.encode(self, order="sorted"), indent=1)

    @classmethod
    def from_json(cls, content: bytes) -> "SuiteResult":
        """Raises `msgspec.ValidationError` naming the field."""
        return msgspec.json.decode(content, type=cls)

    @classmethod
    def read(cls, path: Path) -> "SuiteResult":
        """Raises `OSError`, `msgspec.ValidationError`."""
        return cls.from_json(path.read_bytes())
