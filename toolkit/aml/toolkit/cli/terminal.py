"""The console that commands print to. `NO_COLOR` is Rich's to read."""

from rich.console import Console

LOG_WIDTH = 140
"""Columns where there is no terminal to ask: a build's log is better scrolled than wrapped at 80."""


def make_console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=LOG_WIDTH)
