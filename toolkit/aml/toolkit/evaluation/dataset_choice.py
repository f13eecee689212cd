"""`--dataset NAME[=PATH]`: which adapter reads which file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from aml.ingest.benchmarks import ADAPTERS
from aml.ingest.benchmarks.practice.write_bundle import FULL_SHA256, SMOKE_SHA256

from .errors import WrongUsage

OWN_BUNDLES: Final = {"practice": FULL_SHA256, "practice-smoke": SMOKE_SHA256}
"""Datasets that need no file: the platform writes them itself."""


class DatasetChoice(Struct, frozen=True, kw_only=True):
    name: str
    adapter: str
    path: Path | None
    """None for one of the project's own bundles."""


def choose_datasets(texts: Iterable[str]) -> tuple[DatasetChoice, ...]:
    """Raises `WrongUsage`."""
    chosen: dict[str, DatasetChoice] = {}
    for text in texts:
        choice = _choose(text)
        if choice.name in chosen:
            raise WrongUsage("--dataset", f"{choice.name} is named twice; name each dataset once")
        chosen[choice.name] = choice
    if not chosen:
        raise WrongUsage("--dataset", f"is missing; give practice, or one of {_with_files()}")
    return tuple(chosen.values())


def _choose(text: str) -> DatasetChoice:
    name, equals, file = text.partition("=")
    if name in OWN_BUNDLES and not equals:
        return DatasetChoice(name=name, adapter="practice", path=None)
    if name not in ADAPTERS:
        raise WrongUsage("--dataset", f"there is no dataset {name!r}; give practice, or one of {_with_files()}")
    if not file:
        raise WrongUsage("--dataset", f"{name} needs its file; write {name}=PATH")
    path = Path(file).expanduser()
    if not path.is_file():
        problem = "is no regular file" if path.exists() else "does not exist"
        raise WrongUsage("--dataset", f"{path} {problem}; give the path of the {name} file")
    return DatasetChoice(name=name, adapter=name, path=path)


def _with_files() -> str:
    return ", ".join(f"{name}=PATH" for name in sorted(ADAPTERS))
