"""The five confirmations before a full run."""

import os

import pytest
import typer
from msgspec.structs import asdict

from aml.gateway.jobs.bodies import Checklist
from aml.toolkit.cli.checklist import complete
from aml.toolkit.evaluation.errors import WrongUsage

NOTHING = Checklist(**dict.fromkeys(Checklist.__struct_fields__, False))
ALL = Checklist(**dict.fromkeys(Checklist.__struct_fields__, True))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that a terminal was asked to confirm; it says yes to all."""
    sentences: list[str] = []
    monkeypatch.setattr(os, "isatty", lambda _: True)
    monkeypatch.setattr(typer, "confirm", lambda sentence, *, abort: sentences.append(sentence))
    return sentences


def test_a_whole_one_asks_nothing(asked: list[str]) -> None:
    assert complete(ALL) == ALL
    assert asked == []


def test_a_terminal_is_asked_for_what_is_missing(asked: list[str]) -> None:
    ticked = Checklist(**{**asdict(ALL), "contract_followed": False})

    assert complete(ticked) == ALL
    assert asked == ["The system keeps to the participant contract."]


def test_without_a_terminal_every_missing_flag_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "isatty", lambda _: False)

    with pytest.raises(WrongUsage) as wrong:
        complete(NOTHING)

    assert wrong.value.problem == (
        "confirm with --smoke-passed --contract-followed --run-instructions-complete"
        " --originality-disclosed --no-integrity-violations"
    )
