"""What can be wrong with a suite. Every message is one line that names the place.

SuiteError
├── UnknownPreset       there is no such suite
├── ScenariosMissing    a folder is not there, or holds no scenarios
├── ScenarioUnreadable  a file is no TOML, or not of the format
├── ScenarioInvalid     a scenario breaks a rule of the format
└── SuiteUnwritable     the bundle cannot be put where it should go
"""

from collections.abc import Sequence
from pathlib import Path


class SuiteError(Exception):
    """Root."""


class UnknownPreset(SuiteError):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no suite {name!r}; give one of {', '.join(known)}")
        self.name = name
        self.known = tuple(known)


class ScenariosMissing(SuiteError):
    def __init__(self, place: Path, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


class ScenarioUnreadable(SuiteError):
    def __init__(self, file: str, field: str | None, problem: str) -> None:
        super().__init__(f"{file}{f', {field}' if field else ''}: {problem}")
        self.file = file
        self.field = field
        self.problem = problem


class ScenarioInvalid(SuiteError):
    """`scenario` is None for what concerns the whole file."""

    def __init__(self, file: str, scenario: str | None, field: str, problem: str) -> None:
        place = f"{file}, {scenario}" if scenario else file
        super().__init__(f"{place}, {field}: {problem}")
        self.file = file
        self.scenario = scenario
        self.field = field
        self.problem = problem


class SuiteUnwritable(SuiteError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} cannot be written: {problem}")
        self.path = path
