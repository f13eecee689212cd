"""What a command answers: whole and as JSON for programs, else in words or as a table for people."""

from collections.abc import Callable
from typing import TypeVar

import typer
from rich.console import Console

from aml.toolkit.client.listing import as_json

from .terminal import make_console

A = TypeVar("A")


def tell(answer: A, words: str | Callable[[Console, A], None], *, json: bool) -> None:
    if json:
        typer.echo(as_json(answer))
    elif isinstance(words, str):
        typer.echo(words)
    else:
        words(make_console(), answer)
