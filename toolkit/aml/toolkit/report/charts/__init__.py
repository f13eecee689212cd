"""Inline SVG, drawn in Python: no script, no style attributes, colours from the page's own classes. Scores are 0 to 100."""

from .bars import difference_bar, score_bar
from .curve import Line, depths_of, reach_back_curve
from .radar import pentagon
from .strip import repeat_strip

__all__ = ["Line", "depths_of", "difference_bar", "pentagon", "reach_back_curve", "repeat_strip", "score_bar"]
