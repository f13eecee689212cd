"""The documents are true as far as a program can tell: links lead somewhere, commands and options exist."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from aml.toolkit.cli.whole_app import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
COMMAND = re.compile(r"^\s*\$ (?:\.venv/bin/)?(aml|make) (.*?)(?:\s{2,}#.*)?$", re.MULTILINE)


def commands() -> list[tuple[str, str, str]]:
    return [
        (str(path.relative_to(ROOT)), program, arguments)
        for path in DOCUMENTS
        for program, arguments in COMMAND.findall(path.read_text())
    ]


def test_there_are_documents_with_commands():
    assert len(DOCUMENTS) > 5
    assert len(commands()) > 5


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    missing = [target for target in LINK.findall(path.read_text()) if not (path.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize(("document", "program", "arguments"), commands())
def test_commands_exist(document, program, arguments):
    words = shlex.split(arguments.split("#")[0])
    if program == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert words[0] in targets, f"{document}: make {words[0]}"
        return
    command = typer.main.get_command(app)
    context = typer.Context(command)
    while words and hasattr(command, "commands"):
        found = command.get_command(context, words[0])
        assert found is not None, f"{document}: aml {arguments}"
        command, words = found, words[1:]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    unknown = [word for word in words if word.startswith("--") and word.split("=")[0] not in known]
    assert unknown == [], f"{document}: aml {arguments}"
