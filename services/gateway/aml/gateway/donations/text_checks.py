"""Whether bytes are the JSONL, JSON or CSV that they say they are. Read in pieces, in memory that does not grow with them."""

import codecs
import csv
from collections.abc import Iterable, Iterator
from typing import Final

import ijson
import msgspec

from .package_report import DataFormat, DataReport, PackageLimits, PackageRefused

_FIELDS_SHOWN: Final = 50
_FIELD_CHARS_SHOWN: Final = 80
_ROWS_LOOKED_AT: Final = 20
_ROW: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
"""Reads every value, at any depth, and builds none."""


def check_data(chunks: Iterable[bytes], kind: DataFormat, limits: PackageLimits) -> DataReport:
    """Raises `PackageRefused`."""
    match kind:
        case "jsonl":
            return _check_jsonl(chunks, limits)
        case "json":
            return _check_json(chunks, limits)
        case "csv":
            return _check_csv(chunks, limits)


def _check_jsonl(chunks: Iterable[bytes], limits: PackageLimits) -> DataReport:
    rows, fields = 0, dict[str, None]()
    for number, line in enumerate(_lines(chunks, limits), start=1):
        if not line.strip():
            continue
        rows += 1
        try:
            row = _ROW.decode(line)
        except (msgspec.DecodeError, RecursionError):
            raise PackageRefused(f"line {number} is no JSON object") from None
        if rows <= _ROWS_LOOKED_AT:
            fields |= dict.fromkeys(row)
    if not rows:
        raise PackageRefused("holds no line with content")
    return DataReport(format="jsonl", rows=rows, fields=_shown(fields))


class _Readable:
    """An iterable of pieces as the file that ijson reads."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        start = b""
        for chunk in self._chunks:
            start += chunk
            if len(start) >= len(codecs.BOM_UTF8):
                break
        self._start = start.removeprefix(codecs.BOM_UTF8)

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""  # ijson asks so whether these are bytes
        if self._start:
            start, self._start = self._start, b""
            return start
        return next((chunk for chunk in self._chunks if chunk), b"")


def _check_json(chunks: Iterable[bytes], limits: PackageLimits) -> DataReport:
    depth, rows, fields = 0, 0, dict[str, None]()
    outer: str | None = None
    try:
        for event, value in ijson.basic_parse(_Readable(chunks)):
            if outer is None:
                outer = event
                if outer not in ("start_array", "start_map"):
                    raise PackageRefused("is a single JSON value; send an array or an object")
            elif depth == 1 and outer == "start_array" and not event.startswith("end_"):
                rows += 1
            if event == "map_key" and depth == (2 if outer == "start_array" else 1) and rows <= _ROWS_LOOKED_AT:
                fields[value] = None
            depth += event.startswith("start_") - event.startswith("end_")
            if depth > limits.json_depth:
                raise PackageRefused(f"is nested deeper than {limits.json_depth} levels")
    except (ijson.JSONError, UnicodeDecodeError, ValueError, OverflowError):
        raise PackageRefused("is not one whole JSON document in UTF-8") from None
    return DataReport(format="json", rows=rows if outer == "start_array" else None, fields=_shown(fields))


def _check_csv(chunks: Iterable[bytes], limits: PackageLimits) -> DataReport:
    header: list[str] | None = None
    rows = 0
    reader = csv.reader(_lines(chunks, limits), strict=True)
    try:
        for record in reader:
            if not record:
                continue
            if header is None:
                header = record
                if len(header) < 2 or len(set(header)) < len(header) or not all(name.strip() for name in header):
                    raise PackageRefused("has no header row of two or more different column names")
                continue
            rows += 1
            if len(record) != len(header):
                raise PackageRefused(
                    f"line {reader.line_num} has {len(record)} fields, the header has {len(header)}; quote what holds a comma"
                )
    except csv.Error as error:
        raise PackageRefused(f"line {reader.line_num} is not CSV (RFC 4180): {error}") from None
    if header is None or not rows:
        raise PackageRefused("holds no record below a header")
    return DataReport(format="csv", rows=rows, fields=_shown(dict.fromkeys(header)))


def _lines(chunks: Iterable[bytes], limits: PackageLimits) -> Iterator[str]:
    """With their line breaks, which CSV may have inside of quotes. Raises `PackageRefused`."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    parts: list[str] = []  # of the line that is not over
    length = 0
    for chunk, last in _and_last(chunks):
        try:
            text = decoder.decode(chunk, final=last)
        except UnicodeDecodeError:
            raise PackageRefused("is not UTF-8") from None
        if "\x00" in text:
            raise PackageRefused("has a NUL character, which no text has")
        *whole, rest = text.split("\n")
        for line in whole:
            parts.append(line)
            _require_short(length + len(line), limits)
            yield "".join(parts) + "\n"
            parts, length = [], 0
        parts.append(rest)
        length += len(rest)
        _require_short(length, limits)
    if length:
        yield "".join(parts)


def _require_short(length: int, limits: PackageLimits) -> None:
    if length > limits.line_chars:
        raise PackageRefused(f"has a line of more than {limits.line_chars} characters")


def _and_last(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    for chunk in chunks:
        yield chunk, False
    yield b"", True


def _shown(fields: Iterable[str]) -> tuple[str, ...]:
    return tuple(name[:_FIELD_CHARS_SHOWN] for name in list(fields)[:_FIELDS_SHOWN])
