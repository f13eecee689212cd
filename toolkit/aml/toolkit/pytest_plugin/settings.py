"""What the command line and the ini file ask for, checked before a test runs. A wrong option ends pytest with 2."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from aml.toolkit.baselines import BaselineBroken
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.outputs import Gate, KeptBaselines
from aml.toolkit.suites.errors import UnknownPreset
from aml.toolkit.suites.presets import preset_named

BAD_USAGE = 2
DEFAULT_SUITE = "quick"


class Settings(Struct, frozen=True, kw_only=True):
    suite: str
    repeats: int
    gate: Gate
    kept: KeptBaselines
    update_baseline: bool
    report: Path | None
    home: Path | None
    """None for a temporary one."""
    agent: str | None
    root: Path
    asked: tuple[str, ...]
    """Options whose point is a result: without any result they have not been met."""


_NEED_A_RESULT = ("--aml-suite", "--aml-fail-under", "--aml-baseline", "--aml-report", "--aml-max-drop")


def read_settings(config: pytest.Config) -> Settings:
    """Raises pytest's exit with 2: where pytest itself checks an option, it can only end with 4."""
    given = {name: config.getoption(name) for name in (*_NEED_A_RESULT, "--aml-repeat", "--aml-home")}
    try:
        return _settings(config, given)
    except (WrongUsage, BaselineBroken) as error:
        pytest.exit(f"{error}", returncode=BAD_USAGE)


def _settings(config: pytest.Config, given: Mapping[str, Any]) -> Settings:
    try:
        suite = preset_named(given["--aml-suite"] or DEFAULT_SUITE).name
    except UnknownPreset as error:
        raise WrongUsage("--aml-suite", str(error)) from None
    baseline = _path(config, given["--aml-baseline"])
    update = bool(config.getoption("--aml-update-baseline"))
    max_drop = _number("--aml-max-drop", given["--aml-max-drop"], 100.0)
    if baseline is None and (update or max_drop is not None):
        raise WrongUsage("--aml-update-baseline" if update else "--aml-max-drop", "needs --aml-baseline FILE|DIR")
    return Settings(
        suite=suite,
        repeats=_repeats(given["--aml-repeat"]),
        gate=Gate(fail_under=_number("--aml-fail-under", given["--aml-fail-under"], 100.0), max_drop=max_drop),
        kept=KeptBaselines.read(baseline),
        update_baseline=update,
        report=_report(_path(config, given["--aml-report"])),
        home=_home(config, given["--aml-home"]),
        agent=config.getini("aml_agent") or None,
        root=config.rootpath,
        asked=tuple(name for name in _NEED_A_RESULT if given[name] is not None),
    )


def _path(config: pytest.Config, text: str | None) -> Path | None:
    return None if text is None else config.invocation_params.dir / text


def _home(config: pytest.Config, text: str | None) -> Path | None:
    """The ini file's is relative to the rootdir, as pytest's own are; the command line's to where it is typed."""
    named = config.getini("aml_home")
    return _path(config, text) or (config.rootpath / named if named else None)


def _report(path: Path | None) -> Path | None:
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise WrongUsage("--aml-report", f"{path} cannot be written; name a file in a folder that exists")
    return path


def _number(option: str, text: str | None, highest: float) -> float | None:
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= highest:
        raise WrongUsage(option, f"is {text!r}; give a number from 0 to {highest:g}")
    return number


def _repeats(text: str | None) -> int:
    if text is None:
        return 1
    if not text.isdecimal() or not 1 <= int(text) <= 100:
        raise WrongUsage("--aml-repeat", f"is {text!r}; give a number from 1 to 100")
    return int(text)
