"""The cycles' files: a folder of `<cycle_id>.toml`, read strictly and in the order in which the cycles open.

CycleError(file, problem)
"""

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import msgspec

from aml.contracts.cycle import Cycle

SUFFIX = ".toml"


class CycleError(Exception):
    """A file that says no usable cycle. `problem` says what to change."""

    def __init__(self, file: Path, problem: str) -> None:
        super().__init__(f"{file}: {problem}")
        self.file = file
        self.problem = problem


def bundled_cycles() -> Path:
    """The folder that comes with the package."""
    return Path(str(files("aml.contracts.cycles")))


def load_cycles(folder: Path | None = None) -> tuple[Cycle, ...]:
    """All cycles of `folder`, the one that opens last first. A folder of one's own replaces the bundled one altogether.

    Raises `CycleError`; for a folder that is not there, too: an organiser's dates must not turn into somebody else's.
    """
    place = folder or bundled_cycles()
    if not place.is_dir():
        raise CycleError(place, "is no folder")
    found = [load_cycle(path) for path in sorted(place.glob(f"*{SUFFIX}"))]
    return tuple(sorted(found, key=lambda cycle: cycle.opens_at, reverse=True))


def load_cycle(file: Path) -> Cycle:
    """Raises `CycleError` naming the field, where it is one."""
    try:
        cycle = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Cycle)
    except OSError as error:
        raise CycleError(file, f"cannot be read: {type(error).__name__}") from None
    except UnicodeDecodeError as error:
        raise CycleError(file, f"is not UTF-8: {error.reason} at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise CycleError(file, f"is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise CycleError(file, str(error)) from None
    for problem in inconsistencies(cycle, file.name.removesuffix(SUFFIX)):
        raise CycleError(file, problem)
    return cycle


def inconsistencies(cycle: Cycle, name: str) -> Iterable[str]:
    """What does not fit together in it; nothing for a usable one."""
    if cycle.cycle_id != name:
        yield f"cycle_id is {cycle.cycle_id!r}; it must be the file's name, {name!r}"
    if not cycle.opens_at < cycle.materials_close_at <= cycle.evaluation_closes_at:
        yield "opens_at, materials_close_at and evaluation_closes_at must follow each other"
    if cycle.publishes_at is not None and cycle.publishes_at < cycle.evaluation_closes_at:
        yield "publishes_at lies before evaluation_closes_at"
    divisions = {each.track: each.divisions for each in cycle.tracks}
    if len(divisions) < len(cycle.tracks):
        yield "a track is listed twice"
    for prize in cycle.prizes:
        if prize.division not in divisions.get(prize.track, ()):
            yield f"prizes: {prize.name.en!r} is for {prize.track}/{prize.division}, which the cycle does not have"
    if cycle.repository is not None and not cycle.repository.startswith("https://"):
        yield f"repository is {cycle.repository!r}; it must begin with https://"
