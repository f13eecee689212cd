"""One offline HTML file for runs of suites: scores, differences, failures, and what they were measured with."""

from .reference_rows import ReferenceRow
from .render import render_report
from .report_file import ReportUnwritable, write_report

__all__ = ["ReferenceRow", "ReportUnwritable", "render_report", "write_report"]
