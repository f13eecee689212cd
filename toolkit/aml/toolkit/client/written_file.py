"""A file that a person wrote, TOML or JSON, as the body that the platform takes; fields from the command line over it."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from aml.toolkit.evaluation.errors import WrongUsage

T = TypeVar("T", bound=Struct)

MAX_FILE_BYTES = 256 * 1024


def written(file: Path | None, given: Iterable[str]) -> dict[str, Any]:
    """The file's fields with those of `--set` over them. Raises `WrongUsage`, also where there is neither."""
    chosen = list(given)
    if file is None and not chosen:
        raise WrongUsage("FILE", "is missing; --template prints one to fill in, or give fields with --set")
    return with_fields(read_written(file) if file else {}, chosen, "--set")


def read_written(file: Path) -> dict[str, Any]:
    """Raises `WrongUsage`."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise WrongUsage(str(file), f"cannot be read ({error.strerror})") from None
    if len(content) > MAX_FILE_BYTES:
        raise WrongUsage(str(file), f"is larger than {MAX_FILE_BYTES:,} bytes")
    try:
        text = content.decode("utf-8")
        fields = msgspec.json.decode(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.DecodeError, RecursionError) as error:
        raise WrongUsage(str(file), f"is neither TOML nor JSON ({' '.join(str(error).split())[:200]})") from None
    assert isinstance(fields, dict)  # a TOML document and what begins with `{` are objects
    return fields


def with_fields(fields: dict[str, Any], given: Iterable[str], option: str) -> dict[str, Any]:
    """`given` are `name=value` or `outer.name=value`. Raises `WrongUsage`."""
    changed = dict(fields)
    for each in given:
        name, equals, value = each.partition("=")
        outer, _, inner = name.strip().partition(".")
        if not equals or not outer or "." in inner:
            raise WrongUsage(option, f"{each[:80]!r} is not FIELD=VALUE or TABLE.FIELD=VALUE")
        if not inner:
            changed[outer] = value
        elif isinstance(table := changed.get(outer, {}), dict):
            changed[outer] = {**table, inner: value}
        else:
            raise WrongUsage(option, f"{outer} holds no fields of its own")
    return changed


def as_body(fields: dict[str, Any], shape: type[T], source: str) -> T:
    """Texts from a command line become the numbers and truths that fields are. Raises `WrongUsage`."""
    try:
        return msgspec.convert(_without_blanks(fields), shape, strict=False)
    except msgspec.ValidationError as error:
        raise WrongUsage(source, " ".join(str(error).split())[:300]) from None


def _without_blanks(fields: dict[str, Any]) -> dict[str, Any]:
    """A template's lines that were left empty say nothing."""
    inner = {name: _without_blanks(value) if isinstance(value, dict) else value for name, value in fields.items()}
    return {name: value for name, value in inner.items() if value not in ("", {})}
