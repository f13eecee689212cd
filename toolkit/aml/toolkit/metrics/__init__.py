"""From question records to scores: pure functions, each with its formula's source."""

from .score_suite import score_suite

__all__ = ["score_suite"]
