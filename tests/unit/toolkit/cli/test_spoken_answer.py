"""One answer, for people or for programs."""

import json

import pytest
from rich.console import Console

from aml.toolkit.cli.spoken_answer import tell

ANSWER = {"name": "tea", "cups": 2}


def lines(console: Console, answer: dict[str, object]) -> None:
    console.print(f"{answer['name']} in a table")


def test_people_read_words_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    tell(ANSWER, "two cups", json=False)
    tell(ANSWER, lines, json=False)

    assert capsys.readouterr().out == "two cups\ntea in a table\n"


def test_programs_read_the_whole_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    tell(ANSWER, "two cups", json=True)
    tell(ANSWER, lines, json=True)

    first, second = capsys.readouterr().out.split("}\n{")
    assert json.loads(first + "}") == json.loads("{" + second) == ANSWER
