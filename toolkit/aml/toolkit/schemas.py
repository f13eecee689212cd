"""Generates `contracts/schemas`: JSON Schema of everything that crosses a boundary, and AsyncAPI of the stream.

`python -m aml.toolkit.schemas` writes them, with `--check` it only says which files are out of date (exit code 1).
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

import aml.contracts.events
from aml.contracts.boards import Board
from aml.contracts.cycle import Cycle
from aml.contracts.participant import AddRequest, AddResponse, SearchRequest, SearchResponse
from aml.contracts.release import Release

from .asyncapi import asyncapi, tag_of
from .event_flow import event_types

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_DOCUMENTS: Final[dict[str, type]] = {
    "participant/add_request": AddRequest,
    "participant/add_response": AddResponse,
    "participant/search_request": SearchRequest,
    "participant/search_response": SearchResponse,
    "release": Release,
    "board": Board,
    "cycle": Cycle,
}


def schema_files() -> dict[str, str]:
    """Every generated file: its path below the schemas folder, and its text."""
    shapes = {f"events/{tag_of(event_type)}": event_type for event_type in event_types()} | _DOCUMENTS
    files = {
        f"{name}.json": _text({"$schema": DIALECT, **msgspec.json.schema(shape)}) for name, shape in shapes.items()
    }
    return files | {"asyncapi.json": _text(asyncapi())}


def out_of_date(folder: Path) -> list[str]:
    """Paths that are missing, differ, or that nothing generates any more."""
    expected = schema_files()
    found = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.json")}
    return sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))


def write_schemas(folder: Path) -> list[str]:
    """Makes `folder` hold exactly the generated files; returns what changed."""
    expected = schema_files()
    changed = out_of_date(folder)
    for name in changed:
        path = folder / name
        if name in expected:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[name], "utf-8")
        else:
            path.unlink()
    return changed


def schemas_folder() -> Path:
    """Beside the contracts' source, in a checkout."""
    return Path(aml.contracts.events.__file__).parents[2] / "schemas"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aml.toolkit.schemas", description="Generates contracts/schemas.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is out of date")
    if not parser.parse_args().check:
        changed = write_schemas(schemas_folder())
        sys.stdout.write(f"contracts/schemas: {len(changed)} files changed\n")
        return 0
    if stale := out_of_date(schemas_folder()):
        sys.stderr.write(f"error: contracts/schemas is out of date ({', '.join(stale)}); run `make schemas`\n")
        return 1
    sys.stdout.write("contracts/schemas: up to date\n")
    return 0


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
