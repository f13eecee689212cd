import pytest
import typer

from aml.runtime.settings import SettingsError
from aml.toolkit.cli.boundary import CommandFailed, ExitCode, run_command
from aml.toolkit.local import StartFailed
from aml.toolkit.platform import PlatformRefused


def failing(error: BaseException) -> object:
    def command(arguments: list[str]) -> object:
        raise error

    return command


def refused(status: int) -> PlatformRefused:
    return PlatformRefused(reason="odd", message="no", status=status)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (CommandFailed("3 questions are unscored", ExitCode.INCOMPLETE), 4, "aml: 3 questions are unscored\n"),
        (CommandFailed("0.61 is below 0.70", ExitCode.BELOW_THRESHOLD), 3, "aml: 0.61 is below 0.70\n"),
        (SettingsError("AML_POSTGRES", "has an unusable value"), 2, "aml: AML_POSTGRES has an unusable value\n"),
        (typer.BadParameter("no such\n  folder"), 2, "aml: Invalid value: no such folder (see --help)\n"),
        (StartFailed("ledger", "ended", ("last", "words")), 1, "aml: ledger ended\n  last\n  words\n"),
        (refused(401), 2, "aml: the platform refused (odd): no\n"),
        (refused(404), 2, "aml: the platform refused (odd): no\n"),
        (refused(429), 4, "aml: the platform refused (odd): no\n"),
        (refused(500), 1, "aml: the platform refused (odd): no\n"),
        (KeyboardInterrupt(), 130, "aml: interrupted\n"),
        (typer.Abort(), 1, "aml: aborted\n"),
    ],
)
def test_known_errors_are_one_line_and_their_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(failing(error), []) == code  # type: ignore[arg-type]
    assert capsys.readouterr().err == said


def test_an_unknown_error_names_itself_and_the_way_to_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(failing(ZeroDivisionError("by\nzero")), []) == 1  # type: ignore[arg-type]
    assert capsys.readouterr().err == "aml: unexpected ZeroDivisionError: by zero (again with --debug shows where)\n"


def test_debug_shows_the_traceback_and_does_not_reach_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []

    def command(arguments: list[str]) -> object:
        seen.extend(arguments)
        raise CommandFailed("wrong")

    assert run_command(command, ["up", "--debug", "--detach"]) == 1
    assert seen == ["up", "--detach"]
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (4, 4)])
def test_a_commands_own_code_is_kept(result: object, code: int) -> None:
    assert run_command(lambda arguments: result, []) == code
