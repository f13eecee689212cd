"""Reading source files record by record, with every fault turned into a `BundleError` that says where it is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, TypeVar

import ijson
import msgspec

from .errors import BundleError

T = TypeVar("T")

_BUFFER_BYTES = 256 * 1024  # four times ijson's default: a fifth faster on 200 MB, and still nothing beside one record
_PATH_IN_MESSAGE = re.compile(r"^(?P<problem>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_MISSING = re.compile(r"^Object missing required field `(?P<name>[^`]+)`$")


@contextmanager
def open_bundle(path: Path) -> Iterator[BufferedReader]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise BundleError(path, None, None, f"cannot be read: {error.strerror or error}") from None


def stream_array(path: Path) -> Iterator[tuple[int, Any]]:
    """The items of the JSON array that `path` holds, numbered from 1, one in memory at a time."""
    number = 0
    with open_bundle(path) as file:
        _require_array(path, file)
        try:
            for item in ijson.items(file, "item", use_float=True, buf_size=_BUFFER_BYTES):
                number += 1
                yield number, item
        except (ijson.JSONError, UnicodeDecodeError) as error:
            place = f"record {number + 1}"
            raise BundleError(path, place, None, f"is not complete, valid JSON ({_first_line(error)})") from None


def convert_record(path: Path, record: str, value: object, shape: type[T], *, within: str = "") -> T:
    """`value` as `shape`. `within` is the path of `value` inside the record, e.g. `qa[3]`."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise _located(path, record, within, error) from None


def decode_record(path: Path, record: str, line: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _located(path, record, "", error) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BundleError(path, record, None, f"is not complete, valid JSON ({_first_line(error)})") from None


def _require_array(path: Path, file: BufferedReader) -> None:
    # ijson would find no items in an object, and an empty dataset is not what such a file is.
    head = file.read(4096).lstrip(b" \t\r\n")
    file.seek(0)
    if not head.startswith(b"["):
        problem = "is empty" if not head else "must hold one JSON array of records"
        raise BundleError(path, None, None, problem)


def _located(path: Path, record: str, within: str, error: msgspec.ValidationError) -> BundleError:
    parts = _PATH_IN_MESSAGE.match(str(error))
    assert parts is not None
    inner = (parts["path"] or "$").removeprefix("$")
    problem = parts["problem"]
    if missing := _MISSING.match(problem):
        inner, problem = f"{inner}.{missing['name']}", "is missing"
    field = (within + inner).lstrip(".")
    return BundleError(path, record, field or None, problem if problem == "is missing" else f"wrong value: {problem}")


def _first_line(error: Exception) -> str:
    # The yajl backend hands over bytes for errors inside UTF-8 text.
    text = error.args[0] if error.args and isinstance(error.args[0], bytes) else str(error)
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return text.strip().splitlines()[0].strip() if text.strip() else type(error).__name__
