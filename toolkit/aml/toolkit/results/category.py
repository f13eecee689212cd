"""A category's score, and what single categories measure beside it. Scores are 0 to 100; intervals are two-sided 95 %."""

from typing import Literal

from msgspec import Struct

PASSING = 70.0
"""The score from which on a category is passed that has no other one, and a whole run."""

Shape = Literal["stable", "gradual", "moderate", "steep"]


class Depth(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    depth: int
    """Exchanges between the fact and the question."""
    scored: int
    score: float
    recalled: bool


class ReachBack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    curve: tuple[Depth, ...]
    """Shallowest first."""
    reliable_depth: int | None
    """The deepest one up to which every depth was recalled; None where the first was not."""
    drop: float
    """First score less last one, in points; below 0 where it rose."""
    shape: Shape


class CategoryScore(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    category: str
    weight: float
    """In the suite, before renormalisation; the weights of a suite add up to 1."""
    planned: int
    scored: int
    unscored: int
    score: float | None
    """None where nothing was scored: the category is errored, and counts 0 in Overall."""
    low: float | None
    high: float | None
    passing: float
    """The score from which on the category is passed."""
    grade: str | None
    preserved: float | None = None
    """Reducer fidelity: share of facts that survived, 0 to 100."""
    critical: float | None = None
    """Reducer fidelity: of the critical ones; None without any."""
    forbidden: int = 0
    """Assertions that should not have been made, over the category's questions."""
    reach_back: ReachBack | None = None

    @property
    def errored(self) -> bool:
        return self.score is None

    @property
    def passed(self) -> bool:
        return self.score is not None and self.score >= self.passing


class Axis(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An axis of the pentagon. One that nothing was scored for is not there at all."""

    name: str
    score: float
    categories: tuple[str, ...]
    """Those that were scored."""
