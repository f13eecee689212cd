"""Inline SVG, drawn on the server: no script, no style attributes, colours from the page's own classes."""

from .badge import score_badge
from .bar import score_bar
from .radar import Spoke, capability_radar
from .scatter import Axis, Mark, Reference, score_scatter

__all__ = ["Axis", "Mark", "Reference", "Spoke", "capability_radar", "score_badge", "score_bar", "score_scatter"]
