"""`aml --help` tells each person what is for them."""

import pytest
from typer.main import get_command

from aml.toolkit.cli import commands
from aml.toolkit.cli.whole_app import app

PEOPLE = {
    commands.DEVELOPERS: {"check", "run", "demo"},
    commands.PARTICIPANTS: {
        "apply",
        "claim",
        "smoke",
        "full",
        "watch",
        "results",
        "cancel",
        "resume",
        "key",
        "memory-key",
    },
    commands.REVIEWERS: {"access", "review", "proposals"},
    commands.OPERATORS: {"up", "down", "operate", "evidence"},
    commands.AUDITORS: {"audit", "witness"},
}


@pytest.mark.parametrize("person", PEOPLE)
def test_each_person_finds_their_commands(person: str) -> None:
    shown = get_command(app).commands  # type: ignore[attr-defined]

    theirs = {name for name, command in shown.items() if command.rich_help_panel == person}
    assert PEOPLE[person] <= theirs


def test_no_command_is_nobodys() -> None:
    shown = get_command(app).commands  # type: ignore[attr-defined]

    assert {name for name, command in shown.items() if command.rich_help_panel not in PEOPLE} == set()
