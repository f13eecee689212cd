"""Only what is called is imported, and everything that is listed is there."""

import subprocess
import sys

import pytest
from typer.main import get_command

from aml.toolkit.cli.app import make_app, needed
from aml.toolkit.cli.commands import COMMANDS

HEAVY = {"sqlalchemy", "faststream", "litestar", "httpx", "aiohttp", "jinja2", "openai", "nats"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_is_where_the_list_says(name: str) -> None:
    assert name in get_command(make_app([name])).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["up", "--home", "x"], ["up"]),
        (["--debug", "status"], ["status"]),
        (["--version"], []),
        (["--help"], list(COMMANDS)),
        ([], list(COMMANDS)),
        (["upp"], list(COMMANDS)),
    ],
)
def test_what_is_called_decides_what_is_imported(arguments: list[str], names: list[str]) -> None:
    assert needed(arguments) == names


def test_asking_how_the_stack_is_imports_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv[1:] = ['status', '--help']; from aml.toolkit.cli.app import main\n"
        "try: main()\n"
        f"except SystemExit: print('heavy:', sorted({HEAVY!r} & sys.modules.keys()))"
    )
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "heavy: []" in asked.stdout
