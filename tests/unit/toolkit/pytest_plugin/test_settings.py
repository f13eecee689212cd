"""Options as the plugin understands them."""

from pathlib import Path

import pytest
from tests.factories.plugin_sessions import LOADED

from aml.toolkit.pytest_plugin.settings import Settings, read_settings

pytest_plugins = ("pytester",)


def settings(pytester: pytest.Pytester, *arguments: str) -> Settings:
    return read_settings(pytester.parseconfig(*LOADED, *arguments))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--aml-suite", "quickest"], "--aml-suite: there is no suite 'quickest'"),
        (["--aml-fail-under", "much"], "--aml-fail-under: is 'much'"),
        (["--aml-fail-under", "nan"], "--aml-fail-under: is 'nan'"),
        (["--aml-fail-under", "101"], "--aml-fail-under: is '101'"),
        (["--aml-repeat", "0"], "--aml-repeat: is '0'"),
        (["--aml-repeat", "1.5"], "--aml-repeat: is '1.5'"),
        (["--aml-max-drop", "2"], "--aml-max-drop: needs --aml-baseline"),
        (["--aml-update-baseline"], "--aml-update-baseline: needs --aml-baseline"),
        (["--aml-report", "nowhere/report.html"], "--aml-report: "),
        (["--aml-baseline", "broken.json"], "cannot be read"),
    ],
)
def test_a_wrong_option_ends_pytest_with_2(pytester: pytest.Pytester, arguments: list[str], said: str) -> None:
    (pytester.path / "broken.json").write_text("{}")
    with pytest.raises(pytest.exit.Exception, match=said.replace("[", r"\[")) as ended:
        settings(pytester, *arguments)
    assert ended.value.returncode == 2


def test_nothing_is_asked_for_by_default(pytester: pytest.Pytester) -> None:
    found = settings(pytester)
    assert found.asked == ()
    assert found.suite == "quick"
    assert found.repeats == 1
    assert found.home is None


def test_the_home_is_the_command_lines_and_else_the_ini_files(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\naml_home = .aml\n")
    assert settings(pytester).home == pytester.path / ".aml"
    assert settings(pytester, "--aml-home", str(Path("/srv/aml"))).home == Path("/srv/aml")
