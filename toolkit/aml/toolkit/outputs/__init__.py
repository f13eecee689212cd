"""A suite's result for other programs and for a build's page: Markdown, JUnit XML, a sentence and an exit."""

from .conclusion import Gate, conclude_suite, worst_of
from .junit import junit_of
from .kept_baselines import Held, KeptBaselines
from .markdown import markdown_of
from .result_lines import result_lines

__all__ = [
    "Gate",
    "Held",
    "KeptBaselines",
    "conclude_suite",
    "junit_of",
    "markdown_of",
    "result_lines",
    "worst_of",
]
