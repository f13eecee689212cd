"""Scenario files read from the package or from a user's folder. Reading is not validating: see `validate`."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from aml.contracts.vocabulary import Language

from .categories import CATEGORIES, Category
from .errors import ScenariosMissing, ScenarioUnreadable
from .scenario import Scenario, ScenarioFile

_AT: Final = re.compile(r"^(?P<problem>.*?)(?: - at `\$?\.?(?P<path>[^`]*)`)?$", re.DOTALL)


class Source(Struct, frozen=True, kw_only=True):
    """A scenario file and the name under which errors speak of it."""

    name: str
    file: ScenarioFile


def decode_scenarios(name: str, data: bytes) -> ScenarioFile:
    """Raises `ScenarioUnreadable` naming file and field."""
    try:
        return msgspec.toml.decode(data.removeprefix(BOM_UTF8), type=ScenarioFile)
    except msgspec.ValidationError as error:
        parts = _AT.match(str(error))
        assert parts is not None
        raise ScenarioUnreadable(name, parts["path"] or None, parts["problem"]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ScenarioUnreadable(name, None, f"is no valid TOML ({error})") from None
    except RecursionError:
        raise ScenarioUnreadable(name, None, "is nested too deeply") from None


@cache
def own_scenarios(category: Category, language: Language) -> Source:
    """The project's own."""
    name = f"{language}/{category}.toml"
    resource = files("aml.toolkit.suites").joinpath("scenarios", language, f"{category}.toml")
    return Source(name=name, file=decode_scenarios(name, resource.read_bytes()))


def own_library(language: Language) -> Iterator[Source]:
    return (own_scenarios(category, language) for category in CATEGORIES)


def read_folder(folder: Path) -> Iterator[Source]:
    """Every `*.toml` in the folder and below it, in the order of their paths.

    Raises `ScenariosMissing` and, while reading, `ScenarioUnreadable`.
    """
    if not folder.exists():
        raise ScenariosMissing(folder, "does not exist; give a folder of scenario files")
    paths = sorted(folder.rglob("*.toml")) if folder.is_dir() else [folder]
    if not paths:
        raise ScenariosMissing(folder, "holds no .toml files")
    for path in paths:
        name = str(path.relative_to(folder) if folder.is_dir() else path)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ScenarioUnreadable(name, None, f"cannot be read: {error.strerror or error}") from None
        yield Source(name=name, file=decode_scenarios(name, data))


def scenarios_by_category(sources: Iterator[Source], language: Language) -> Mapping[Category, tuple[Scenario, ...]]:
    """Of one language; files of one category are joined in their order."""
    found: dict[Category, tuple[Scenario, ...]] = {}
    for source in sources:
        if source.file.language == language:
            found[source.file.category] = (*found.get(source.file.category, ()), *source.file.scenarios)
    return found
