"""The shipped sets of labelled answers, one JSON line an answer. A release pins the one that its judge is measured on."""

import hashlib
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from aml.contracts.calibration import CalibrationCase

_FOLDER = Path(__file__).parent
_SUFFIX = ".jsonl"
_line = msgspec.json.Decoder(CalibrationCase)


class CalibrationSetError(Exception):
    """The release names a set that is not shipped, or that is not the pinned one; `problem` says which."""

    def __init__(self, answers: str, problem: str) -> None:
        super().__init__(f"calibration set {answers!r} {problem}")
        self.answers = answers
        self.problem = problem


class CalibrationSet(Struct, frozen=True, kw_only=True):
    name: str
    sha256: str
    cases: tuple[CalibrationCase, ...]


def shipped_sets() -> tuple[str, ...]:
    return tuple(sorted(path.name.removesuffix(_SUFFIX) for path in _FOLDER.glob(f"*{_SUFFIX}")))


@cache
def load_set(name: str) -> CalibrationSet:
    """Raises `CalibrationSetError`."""
    if name not in shipped_sets():
        raise CalibrationSetError(name, f"is not one of {', '.join(shipped_sets())}")
    data = (_FOLDER / f"{name}{_SUFFIX}").read_bytes()
    try:
        cases = tuple(map(_line.decode, data.splitlines()))
    except msgspec.DecodeError as error:
        raise CalibrationSetError(name, f"holds a line that is no case: {error}") from None
    return CalibrationSet(name=name, sha256=hashlib.sha256(data).hexdigest(), cases=cases)


def pinned_set(name: str, sha256: str) -> CalibrationSet:
    """Raises `CalibrationSetError`, also for other content under the same name."""
    found = load_set(name)
    if found.sha256 != sha256:
        raise CalibrationSetError(name, f"has SHA-256 {found.sha256}, and the release pins {sha256}")
    return found
