"""A line on a console exactly as it is: texts of systems, datasets and paths are no markup, and a build's log wraps nothing."""

from rich.console import Console


def print_line(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)
