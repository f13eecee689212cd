"""Reads JSON that a stranger sent: the grammar of RFC 8259 and nothing beside it, in bounded time and memory.

msgspec decodes (grammar, UTF-8, surrogate pairs, number range, in C), and refuses all that the grammar refuses. What it lets
pass is judged on the body's skeleton, the bytes outside of strings, which `split(b'"')` yields at memchr speed:
depth (before anything recursive runs), the length of numbers, the count of values, and duplicate keys: as many colons
as the decoded objects have members, or some key came twice.
"""

import json
import math
import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any, Final

import msgspec

from .errors import JsonInvalid, LimitExceeded
from .json_path import path_at, path_of_number

MAX_DEPTH: Final = 64
MAX_INTEGER_DIGITS: Final = 40
MAX_NUMBER_CHARS: Final = 128
MAX_VALUES: Final = 1_000_000
"""Values in one body. A hundred items with embeddings of 4,096 numbers each are 410,000."""

_WINDOW: Final = 1 << 18
_BACKSLASH: Final = ord("\\")
_LOCATED_BYTES: Final = 4 << 20
"""Of larger bodies a duplicate key is not located: that takes a second reader, half a second under one lock."""

_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_ALL_BUT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_NUMBERS_APART: Final = bytes(byte if byte in b"0123456789eE.+-" else 0x20 for byte in range(256))
_DIGITS_ALIKE: Final = bytes(0x30 if byte in b"0123456789" else byte for byte in range(256))
_FIVE_DIGITS: Final = b"00000"
_LONG_INTEGER: Final = re.compile(rb"(?<![0-9.eE+])-?[0-9]{%d,}(?![0-9.eE])" % (MAX_INTEGER_DIGITS + 1))
_ESCAPE: Final = re.compile(rb'\\[\\"]')
_FEW: Final = 256
_AT_BYTE: Final = re.compile(r" \(byte (\d+)\)$")
_AT_PATH: Final = re.compile(r" - at `(.+)`$")

_decoder: Final = msgspec.json.Decoder()


def read_json(
    body: bytes,
    *,
    outside: bytes | None = None,
    unique_keys: bool = True,
    max_depth: int = MAX_DEPTH,
    max_values: int = MAX_VALUES,
) -> Any:
    """Raises `JsonInvalid` with a byte offset or a JSON path, or `LimitExceeded` for too deep, too long, too many.

    `outside` is the body's skeleton where the caller has it already. The grammar allows a key twice; with `unique_keys`,
    as every body of a participant is read, it is refused: two readers of such a body may see two different answers.
    """
    outside = skeleton(body) if outside is None else outside
    check_bounds(body, outside, max_depth=max_depth, max_values=max_values)
    try:
        value = _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        failure = _invalid(body, error)
    else:
        if not unique_keys or outside.count(b":") == _count_members(value, outside.count(b"{") + outside.count(b"[")):
            return value
        failure = _duplicate(body)
    # Outside of `except`, so that no chained exception carries the body along.
    raise failure


def check_bounds(body: bytes, outside: bytes, *, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> None:
    """Before any decoder: raises `LimitExceeded` for too deep, too long, too many."""
    # Each value but one has a byte of its own out there.
    if len(outside) >= max_values and (values := count_values(outside)) > max_values:
        raise LimitExceeded(f"the body holds {values} JSON values; at most {max_values} are read")
    _check_depth(outside, max_depth)
    _check_numbers(outside, body)


def skeleton(body: bytes) -> bytes:
    """The bytes outside of strings. Of a body that is not JSON it is some bytes, and decoding refuses that body."""
    return b"".join(skeleton_parts(body))


def skeleton_parts(body: bytes) -> Iterator[bytes]:
    """The same a window at a time: ten million strings are never ten million pieces at once, and other threads get turns."""
    in_string = start = 0
    while start < len(body):
        end = min(start + _WINDOW, len(body))
        while end < len(body) and body[end - 1] == _BACKSLASH:
            end += 1  # an escape and what it escapes stay together
        window = body[start:end]
        if b"\\" in window:
            window = _without_escapes(window)
        pieces = window.split(b'"')
        yield b"".join(pieces[in_string::2])
        in_string ^= (len(pieces) - 1) & 1
        start = end


def _without_escapes(window: bytes) -> bytes:
    """Of quotes and backslashes. For a few of them one search is four times as fast as two replacements."""
    rest, found = _ESCAPE.subn(b"", window, _FEW)
    if found < _FEW:
        return rest
    # Pairs first: in a run of backslashes every second one is escaped.
    return window.replace(b"\\\\", b"").replace(b'\\"', b"")


def count_strings(body: bytes) -> int:
    """Keys and values, of a body that is JSON: each has its two quotes, and all others are escaped."""
    return (_without_escapes(body) if _BACKSLASH in body else body).count(b'"') // 2


def may_have_long_number(body: bytes) -> bool:
    """False: certainly none is longer than is read. True: look, for strings may have such a run of digits too.

    A number too long has 41 digits in a row: an integer has nothing else, and of more than 128 characters at most four are
    no digits, which part the others into three. So many cover five of every eighth byte.
    """
    return _FIVE_DIGITS in body[::8].translate(_DIGITS_ALIKE)


def count_values(outside: bytes) -> int:
    """An upper bound of the values in a body with this skeleton."""
    return outside.count(b",") + outside.count(b"[") + outside.count(b"{") + 1


def nesting(outside: bytes, bound: int) -> int:
    """How deep brackets nest; some number above `bound` when deeper. Each pass takes away the innermost level."""
    brackets = outside.translate(_BRACKETS, _ALL_BUT_BRACKETS)
    if b"[" * (bound + 1) in brackets:
        return bound + 1
    depth = 0
    while brackets and depth <= bound:
        inner = brackets.replace(b"[]", b"")
        if len(inner) == len(brackets):
            break
        brackets, depth = inner, depth + 1
    return depth + brackets.count(b"[")


def _check_depth(outside: bytes, bound: int) -> None:
    if nesting(outside, bound) > bound:
        raise LimitExceeded(f"the body nests deeper than {bound} levels")


def _check_numbers(outside: bytes, body: bytes) -> None:
    if len(outside) <= MAX_INTEGER_DIGITS:
        return
    # A sound quick look first: nothing here is longer than the longest run of number characters.
    longest = max(map(_longest_number, range(0, len(outside), _WINDOW), repeat(outside)), default=0)
    if longest <= MAX_INTEGER_DIGITS:
        return
    if longest > MAX_NUMBER_CHARS or _LONG_INTEGER.search(outside):
        raise LimitExceeded(
            f"the body has a number of more than {MAX_NUMBER_CHARS} characters, or {MAX_INTEGER_DIGITS} digits",
            path=path_of_number(body, _is_too_long),
        )


def _is_too_long(number: bytes) -> bool:
    return len(number) > MAX_NUMBER_CHARS or bool(_LONG_INTEGER.search(number))


def _longest_number(start: int, outside: bytes) -> int:
    """In one window, which overlaps the next so far that a number too long shows as too long in one of them."""
    window = outside[start : start + _WINDOW + MAX_NUMBER_CHARS + 1]
    return max(map(len, window.translate(_NUMBERS_APART).split()), default=0)


def _count_members(value: Any, containers: int) -> int:
    """Members of all objects. `containers` is how many objects and arrays the body has: once so many are found, whatever is
    in the last ones are plain values, which a search response has hundreds of and which nobody need look at."""
    members = found = 0
    level = [value] if type(value) in (dict, list) else []
    while level:
        found += len(level)
        members += sum([len(each) for each in level if type(each) is dict])
        if found >= containers:
            break
        inside = chain.from_iterable(each.values() if type(each) is dict else each for each in level)
        level = [each for each in inside if type(each) in (dict, list)]
    return members


def _invalid(body: bytes, error: Exception) -> JsonInvalid:
    if not body.strip(b" \t\r\n"):
        return JsonInvalid("the body is empty")
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return JsonInvalid("the body begins with a byte order mark", offset=0, advice="send plain UTF-8 without BOM")
    if body[:2].count(0) == 1:
        return JsonInvalid("the body is UTF-16", offset=0, advice="send UTF-8")
    text = str(error).removeprefix("JSON is malformed: ")
    if isinstance(error, UnicodeDecodeError) or "UTF-8" in text:
        offset = _first_bad_byte(body)
        return JsonInvalid("the body is not valid UTF-8", offset=offset, path=path_at(body, offset))
    if found := _AT_PATH.search(text):
        # The decoder's own path leaves out the names of members.
        return JsonInvalid(text[: found.start()].lower(), path=path_of_number(body, _is_out_of_range) or found[1])
    found = _AT_BYTE.search(text)
    offset = int(found[1]) if found else len(body)
    problem = text[: found.start()] if found else text[:1].lower() + text[1:]
    return JsonInvalid(problem, offset=offset, path=path_at(body, offset))


def _is_out_of_range(number: bytes) -> bool:
    try:
        return math.isinf(float(number))
    except ValueError:
        return False


def _first_bad_byte(body: bytes) -> int:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return len(body)


class _Pairs(list[tuple[str, Any]]):
    """An object's members in order, duplicates kept."""


def _duplicate(body: bytes) -> JsonInvalid:
    """Slow and only for the message. The body is valid and at most `MAX_DEPTH` deep, so the standard reader is safe."""
    if len(body) > _LOCATED_BYTES:
        return JsonInvalid("the body has an object with the same key twice", path="$")
    waiting: list[tuple[str, Any]] = [("$", json.loads(body, object_pairs_hook=_Pairs))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, _Pairs):
            seen: set[str] = set()
            for key, member in value:
                if key in seen:
                    return JsonInvalid(f"the key {_shown(key)} comes twice in one object", path=path)
                seen.add(key)
                waiting.append((f"{path}.{_shown(key)}", member))
        elif isinstance(value, list):
            waiting.extend((f"{path}[{index}]", item) for index, item in enumerate(value))
    return JsonInvalid("the body has duplicate keys")


def _shown(key: str) -> str:
    """Whole or not at all, so that what is taken out of an error's text later is not half there."""
    if len(key) > 80:
        return f"<{len(key)} characters>"
    return key if key.isidentifier() else json.dumps(key, ensure_ascii=False)
