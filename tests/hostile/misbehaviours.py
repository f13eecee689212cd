"""What a participant can do wrong, one row each, with the exact error that it ends in.

    name                    what the server does
    speak                   how
    error                   the class; its `layer` goes with it
    problem                 a piece of the problem as it is told
    path                    where in the body
    retried                 tried again, as far as the policy allows, and then a matter of transport
    call                    Add or Search

`TOLERATED` are odd but within the contract: each must be read as it was meant.
"""

import asyncio
import base64
import gzip
import json
import unicodedata
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tests.hostile.hostile_server import Exchange, Speak, echoes, message, pours, raw, says, shows

from aml.runtime.participant import (
    AuthenticationRefused,
    EchoMismatched,
    HttpRefused,
    JsonInvalid,
    LimitExceeded,
    MediaRefused,
    ParticipantError,
    SchemaViolated,
    TransportFailed,
)

TOP_K = 5
ACCENTED = "eval:run:d:Zoë"


@dataclass(frozen=True)
class Misbehaviour:
    name: str
    speak: Speak
    error: type[ParticipantError]
    problem: str
    path: str | None = None
    retried: bool = False
    call: Literal["add", "search"] = "search"
    multimodal: bool = False
    status_url: bool = False
    limits: str = "small"
    """`small`: 1 MiB; `large`: the release's 30 MiB."""
    quick: bool = False
    """Deadlines of a fraction of a second."""


OK = b'{"data":[]}'
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
UNTIL_CLOSE = b"HTTP/1.1 200 OK\r\n\r\n"
_ITEM = {"id": "m1", "content": "tea"}


async def _silent(_: Exchange) -> None:
    await asyncio.sleep(60)


async def _half_closed(exchange: Exchange) -> None:
    exchange.writer.write_eof()
    await asyncio.sleep(60)


async def _reset(exchange: Exchange) -> None:
    exchange.reset()


async def _reset_in_body(exchange: Exchange) -> None:
    await exchange.write(message(b'{"data":', length=500))
    await asyncio.sleep(0.02)
    exchange.reset()


def _bomb() -> bytes:
    """194 kB that would unpack to 200 MB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b" " * (1 << 20)
    return b"".join(packer.compress(block) for _ in range(200)) + packer.flush()


def _http(name: str, data: bytes, error: type[ParticipantError], problem: str, **more: Any) -> Misbehaviour:
    return Misbehaviour(name, raw(data), error, problem, **more)


_BROKEN = (
    Misbehaviour("silence", _silent, TransportFailed, "first byte did not come", retried=True, quick=True),
    Misbehaviour("half close", _half_closed, TransportFailed, "closed the connection", retried=True),
    Misbehaviour("reset", _reset, TransportFailed, "", retried=True),
    Misbehaviour("reset in the body", _reset_in_body, TransportFailed, "", retried=True),
    _http("closed without an answer", b"", TransportFailed, "closed the connection", retried=True),
    _http("closed in the head", b"HTTP/1.1 200 OK\r\nContent-", TransportFailed, "", retried=True),
    _http("closed in a chunk", CHUNKED + b"40\r\n{", TransportFailed, "broke off", retried=True),
    _http("length too long", message(OK, length=500), TransportFailed, "broke off", retried=True),
    Misbehaviour(
        "slow-loris head", pours(b"HTTP/1.1 200 OK\r\nX: ", b"a", pause=0.02), TransportFailed, "first byte",
        retried=True, quick=True,
    ),
    Misbehaviour(
        "slow body", pours(message(b"", length=500), b" ", pause=0.02), TransportFailed, "not complete within",
        retried=True, quick=True,
    ),
    Misbehaviour(
        "endless 100 Continue", pours(b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.002), TransportFailed, "first byte",
        retried=True, quick=True,
    ),
    Misbehaviour(
        "endless trailer", pours(CHUNKED + b"0\r\n", b"X: a\r\n", pause=0.005), TransportFailed, "",
        retried=True, quick=True,
    ),
)  # fmt: skip

_SIZES = (
    Misbehaviour("endless chunks", pours(CHUNKED, b"4000\r\n" + b" " * 0x4000 + b"\r\n"), LimitExceeded, "larger than"),
    Misbehaviour("endless until close", pours(UNTIL_CLOSE, b" " * 0x4000), LimitExceeded, "larger than"),
    _http("a giant announced", message(b"", length=99_999_999_999), LimitExceeded, "larger than"),
    Misbehaviour("one byte too many", says(b" " * (1 << 20) + b" "), LimitExceeded, "larger than"),
    Misbehaviour("gzip bomb", says(_bomb(), headers="Content-Encoding: gzip\r\n"), HttpRefused, "compressed"),
    Misbehaviour(
        "gzip", says(gzip.compress(OK), headers="Content-Encoding: gzip\r\n"), HttpRefused, "compressed"
    ),
    Misbehaviour("brotli", says(b"\x8b", headers="Content-Encoding: br\r\n"), HttpRefused, "compressed"),
    Misbehaviour("gzip unnamed", says(gzip.compress(OK)), JsonInvalid, "", path="$"),
    Misbehaviour(
        "a million items", says(b'{"data":[' + b",".join([b'{"id":"a","content":"b"}'] * 1_000_000) + b"]}"),
        LimitExceeded, "more than top_k", path=f"$.data[{TOP_K}]", limits="large",
    ),
    Misbehaviour(
        "ten million numbers", says(b'{"data":[],"n":[' + b"1," * 10_000_000 + b"1]}"), LimitExceeded, "JSON values",
        limits="large",
    ),
    Misbehaviour(
        "a million keys", says(b"{" + b",".join(b'"%d":1' % n for n in range(1_100_000)) + b"}"), LimitExceeded,
        "JSON values", limits="large",
    ),
    Misbehaviour("one item too many", shows({"data": [_ITEM] * (TOP_K + 1)}), LimitExceeded, "top_k = 5", path="$.data[5]"),
)  # fmt: skip

_HTTP = (
    _http("no HTTP at all", b"SSH-2.0-OpenSSH_9.9\r\n", HttpRefused, "not HTTP"),
    _http("bare body", OK, HttpRefused, "not HTTP"),
    _http("no status", b"HTTP/1.1 abc\r\n\r\n", HttpRefused, "not HTTP"),
    _http("a four-digit status", b"HTTP/1.1 2000 OK\r\n\r\n", HttpRefused, "not HTTP"),
    _http("a status below 100", b"HTTP/1.1 099 X\r\nContent-Length: 3\r\n\r\nabc", HttpRefused, "not HTTP"),
    _http("HTTP/9.9", b"HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n", HttpRefused, "not HTTP"),
    _http("switching protocols", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", HttpRefused, "101"),
    _http("a header of 100 kB", b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100_000 + b"\r\n\r\n", HttpRefused, "not HTTP"),
    _http("a thousand headers", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n", HttpRefused, "not HTTP"),
    Misbehaviour("endless headers", pours(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n" * 500), HttpRefused, "not HTTP"),
    _http("NUL in a header", b"HTTP/1.1 200 OK\r\nA: \x00\r\nContent-Length: 0\r\n\r\n", HttpRefused, "not HTTP"),
    _http("a header without a name", b"HTTP/1.1 200 OK\r\n: b\r\n\r\n", HttpRefused, "not HTTP"),
    _http("length below zero", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", HttpRefused, "not HTTP"),
    _http("length in words", b"HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", HttpRefused, "not HTTP"),
    _http("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", HttpRefused, "not HTTP"),
    _http("no chunk size", CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n", HttpRefused, "not HTTP"),
    _http("a giant chunk size", CHUNKED + b"f" * 20 + b"\r\n{}", HttpRefused, "not HTTP"),
    _http("a chunk past its end", CHUNKED + b"2\r\n{}xx\r\n0\r\n\r\n", HttpRefused, "not HTTP"),
    _http("more than was promised", message(OK) + b"garbage", HttpRefused, "not HTTP"),
)  # fmt: skip


def _busy(name: str, headers: str, block: bytes) -> Misbehaviour:
    """A proxy's page before a server that is down: its status decides, whatever became of its body."""
    head = f"HTTP/1.1 503 Busy\r\nContent-Encoding: gzip\r\n{headers}\r\n".encode()
    return _http(f"busy, {name}", head + block, HttpRefused, "answered 503", retried=True)


_BUSY = (
    _busy("in a large compressed page", "Content-Length: 200000\r\n", b"\x1f" * 200_000),
    _busy("in a page of broken chunks", "Transfer-Encoding: chunked\r\n", b"zz\r\n"),
)


def _status(code: int, error: type[ParticipantError], **more: Any) -> Misbehaviour:
    name = f"{more.get('call', 'search')} {code}"
    headers = "Location: http://127.0.0.1:1/elsewhere\r\n" if 300 <= code < 400 else ""
    empty = b"" if code in (204, 304) else b'{"detail":{"reason":"no"}}'
    return Misbehaviour(
        name, says(empty, status=f"{code} Whatever", headers=headers), error, f"answered {code}"
        if not 300 <= code < 400 else f"redirected ({code})", **more,
    )  # fmt: skip


_STATUSES = (
    *(_status(code, HttpRefused) for code in (201, 202, 203, 204, 205, 206, 207, 226)),
    *(_status(code, HttpRefused) for code in (300, 301, 302, 303, 304, 305, 307, 308)),
    *(_status(code, HttpRefused) for code in (400, 402, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416)),
    *(_status(code, HttpRefused) for code in (418, 421, 422, 423, 424, 426, 428, 431, 451, 499)),
    *(_status(code, AuthenticationRefused) for code in (401, 403)),
    *(_status(code, HttpRefused, retried=True) for code in (408, 425, 429, 500, 502, 503, 504)),
    *(_status(code, HttpRefused) for code in (501, 505, 506, 507, 508, 511, 520, 522, 524, 599)),
    *(_status(code, HttpRefused, retried=True, call="add") for code in (408, 409, 425, 429, 500, 502, 503, 504, 524)),
    *(_status(code, HttpRefused, call="add") for code in (201, 204, 301, 307, 308, 400, 404, 413, 422, 501, 520)),
    *(_status(code, AuthenticationRefused, call="add") for code in (401, 403)),
)


def _json(
    name: str, body: bytes, problem: str, error: type[ParticipantError] = JsonInvalid, **more: Any
) -> Misbehaviour:
    return Misbehaviour(name, says(body), error, problem, **more)


_JSON = (
    _json("empty body", b"", "empty"),
    _json("white space only", b" \r\n\t", "empty"),
    _json("an HTML page", b"<!doctype html><title>Welcome</title>", "", path="$"),
    _json("byte order mark", b"\xef\xbb\xbf" + OK, "byte order mark"),
    _json("UTF-16 with mark", '{"data":[]}'.encode("utf-16"), "byte order mark"),
    _json("UTF-16", '{"data":[]}'.encode("utf-16-le"), "UTF-16"),
    _json("Latin-1", '{"data":[{"id":"é","content":"c"}]}'.encode("latin-1"), "UTF-8", path="$.data[0].id"),
    _json("overlong UTF-8", b'{"data":[{"id":"\xc0\xaf","content":"c"}]}', "UTF-8", path="$.data[0].id"),
    _json("a raw surrogate", b'{"data":[{"id":"\xed\xa0\x80","content":"c"}]}', "UTF-8", path="$.data[0].id"),
    _json("a lone surrogate", b'{"data":[{"id":"\\ud800","content":"c"}]}', "surrogate", path="$.data[0].id"),
    _json("surrogates reversed", b'{"data":[{"id":"\\udc00\\ud800","content":"c"}]}', "surrogate", path="$.data[0].id"),
    _json("a key twice", b'{"data":[],"data":[]}', "twice", path="$"),
    _json("a key twice inside", b'{"data":[{"id":"a","content":"c","x":{"y":1,"y":2}}]}', "twice", path="$.data[0].x"),
    _json("a key twice, once escaped", b'{"data":[],"d\\u0061ta":[]}', "twice", path="$"),
    _json("NaN", b'{"data":[{"id":"a","content":"c","score":NaN}]}', "", path="$.data[0].score"),
    _json("Infinity", b'{"data":[{"id":"a","content":"c","score":Infinity}]}', "", path="$.data[0].score"),
    _json("-Infinity", b'{"data":[{"id":"a","content":"c","score":-Infinity}]}', "", path="$.data[0].score"),
    _json("1e400", b'{"data":[{"id":"a","content":"c","score":1e400}]}', "out of range", path="$.data[0].score"),
    _json("5,000 digits", b'{"data":[],"n":' + b"7" * 5000 + b"}", "number", LimitExceeded, path="$.n"),
    _json("41 digits", b'{"data":[],"n":' + b"7" * 41 + b"}", "digits", LimitExceeded, path="$.n"),
    _json("100,000 arrays deep", b'{"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nests deeper", LimitExceeded),
    _json("100,000 objects deep", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nests deeper", LimitExceeded),
    _json("100,000 opened", b"[" * 100_000, "nests deeper", LimitExceeded),
    _json("65 deep", b'{"data":' + b"[" * 64 + b"]" * 64 + b"}", "nests deeper", LimitExceeded),
    _json("trailing comma", b'{"data":[],}', "", path="$"),
    _json("trailing text", OK + b"x", "", path="$"),
    _json("two values", OK + OK, "", path="$"),
    _json("a comment", b'{"data":[]/**/}', "", path="$.data"),
    _json("single quotes", b"{'data':[]}", "", path="$"),
    _json("leading zero", b'{"data":[],"n":01}', "", path="$.n"),
    _json("a line break in a string", b'{"data":[{"id":"a\nb","content":"c"}]}', "", path="$.data[0].id"),
    _json("a NUL in a string", b'{"data":[{"id":"a\x00b","content":"c"}]}', "", path="$.data[0].id"),
    _json("cut off", b'{"data":[{"id":"a","content":"c"', "truncated", path="$.data[0].content"),
    _json("JSON lines", b'{"id":"a"}\n{"id":"b"}', "", path="$"),
)  # fmt: skip


def _shape(name: str, value: Any, path: str, problem: str = "", **more: Any) -> Misbehaviour:
    return Misbehaviour(name, shows(value), SchemaViolated, problem, path=path, **more)


def _item(name: str, problem: str = "", *, at: str, **fields: Any) -> Misbehaviour:
    item = {key: value for key, value in (_ITEM | fields).items() if value is not ...}
    return _shape(name, {"data": [_ITEM, item]}, f"$.data[1]{at}", problem)


_SHAPES = (
    _shape("null", None, "$", "null"),
    _shape("a list on top", [_ITEM], "$", "array"),
    _shape("a string on top", "data", "$", "string"),
    _shape("no data", {}, "$.data", "missing"),
    _shape("items instead of data", {"items": [_ITEM]}, "$.data", "missing"),
    _shape("data in data", {"data": {"data": [_ITEM]}}, "$.data", "object"),
    _shape("data null", {"data": None}, "$.data", "null"),
    _shape("data a string", {"data": "[]"}, "$.data", "string"),
    _shape("data 0", {"data": 0}, "$.data", "number"),
    _shape("an item null", {"data": [None]}, "$.data[0]", "null"),
    _shape("an item a string", {"data": ["tea"]}, "$.data[0]", "string"),
    _item("no id", "missing", at=".id", id=...),
    _item("id empty", "empty", at=".id", id=""),
    _item("id a number", "number", at=".id", id=7),
    _item("id null", "null", at=".id", id=None),
    _item("no content", "missing", at=".content", content=...),
    _item("content empty", "empty", at=".content", content=""),
    _item("content a number", "number", at=".content", content=7),
    _item("content an object", "object", at=".content", content={"text": "tea"}),
    _item("content in parts, on the textual track", "array", at=".content", content=[{"type": "text", "text": "tea"}]),
    _item("score true", "true", at=".score", score=True),
    _item("score a string", "string", at=".score", score="0.9"),
    _item("score a list", "array", at=".score", score=[1]),
    _item("created_at an object", at=".created_at", created_at={"s": 1}),
    _item("created_at true", at=".created_at", created_at=True),
)  # fmt: skip

_PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


def _uri(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _image(name: str, url: Any, problem: str, error: type[ParticipantError] = MediaRefused) -> Misbehaviour:
    parts = [{"type": "text", "text": "tea"}, {"type": "image_url", "image_url": {"url": url}}]
    return Misbehaviour(
        name, shows({"data": [{"id": "a", "content": parts}]}), error, problem,
        path="$.data[0].content[1].image_url.url", multimodal=True, limits="large",
    )  # fmt: skip


def _part(name: str, parts: Any, at: str, problem: str = "") -> Misbehaviour:
    return _shape(name, {"data": [{"id": "a", "content": parts}]}, f"$.data[0].content{at}", problem, multimodal=True)


_MEDIA = (
    _image("a remote image", "https://example.org/a.png", "not an inline"),
    _image("a remote image in a data URI's clothes", "data:text/html;base64,PGI+", "not an inline"),
    _image("an SVG", _uri("svg+xml", b"<svg/>"), "not an inline"),
    _image("a GIF", _uri("gif", b"GIF89a"), "not an inline"),
    _image("a PNG that says JPEG", _uri("jpeg", _PNG), "not those of"),
    _image("HTML that says PNG", _uri("png", b"<html>"), "not those of"),
    _image("no Base64", "data:image/png;base64,%%%%", "Base64"),
    _image("11 MiB of image", _uri("png", _PNG + bytes(11 << 20)), "larger than"),
    _image("an image without a URL", None, "missing", SchemaViolated),
    _part("no parts", [], "", "empty array"),
    _part("a part of another type", [{"type": "audio"}], "[0].type"),
    _part("a part that is text", ["tea"], "[0]", "string"),
    _part("an empty text part", [{"type": "text", "text": ""}], "[0].text"),
)  # fmt: skip


def _add(name: str, error: type[ParticipantError], path: str, problem: str = "", **changes: Any) -> Misbehaviour:
    return Misbehaviour(name, echoes(**changes), error, problem, path=path, call="add")


_ADDS = (
    _add('success "true"', SchemaViolated, "$.success", "string", success="true"),
    _add("success 1", SchemaViolated, "$.success", "number", success=1),
    _add("success false", SchemaViolated, "$.success", "false", success=False),
    _add("success null", SchemaViolated, "$.success", "null", success=None),
    _add("success missing", SchemaViolated, "$.success", "missing", success=...),
    _add("request_id missing", SchemaViolated, "$.request_id", "missing", request_id=...),
    _add("user_id a number", SchemaViolated, "$.user_id", "number", user_id=1),
    _add("session_id null", SchemaViolated, "$.session_id", "null", session_id=None),
    _add("request_id in capitals", EchoMismatched, "$.request_id", "came back", request_id=str.upper),
    _add("request_id trimmed", EchoMismatched, "$.request_id", request_id=lambda value: value[:-1]),
    _add("request_id with a space", EchoMismatched, "$.request_id", request_id=lambda value: value + " "),
    _add("request_id with a NUL", EchoMismatched, "$.request_id", request_id=lambda value: value + "\x00"),
    _add("request_id of 10,000", EchoMismatched, "$.request_id", "10000 characters", request_id="a" * 10_000),
    _add(
        "user_id decomposed", EchoMismatched, "$.user_id",
        user_id=lambda value: unicodedata.normalize("NFD", value),
    ),
    _add("user_id with a bidi mark", EchoMismatched, "$.user_id", user_id=lambda value: "\u202e" + value),
    _add("session_id of another", EchoMismatched, "$.session_id", session_id="eval:other:s:1"),
    Misbehaviour("Add in a list", shows([{"success": True}]), SchemaViolated, "array", path="$", call="add"),
    Misbehaviour("Search's answer to Add", says(OK), SchemaViolated, "missing", path="$.success", call="add"),
    Misbehaviour(
        "202 without a status URL", shows({"task_id": "t"}, status="202 Accepted"), HttpRefused, "no status URL",
        call="add",
    ),
)  # fmt: skip


def _task(name: str, answer: Speak, error: type[ParticipantError], problem: str, **more: Any) -> Misbehaviour:
    """Add answers 202; `answer` is what the status URL says."""
    accepted = message(b'{"task_id":"t-1"}', status="202 Accepted")

    async def speak(exchange: Exchange) -> bool | None:
        if not exchange.path.startswith("/tasks/"):
            await exchange.write(accepted)
            return True
        return await answer(exchange)

    return Misbehaviour(name, speak, error, problem, call="add", status_url=True, **more)


def _accepts(name: str, body: Any, path: str, problem: str) -> Misbehaviour:
    return Misbehaviour(
        name, shows(body, status="202 Accepted"), SchemaViolated, problem, path=path, call="add", status_url=True
    )


_TASKS = (
    _accepts("202 without task_id", {}, "$.task_id", "missing"),
    _accepts("202 with a number", {"task_id": 7}, "$.task_id", "number"),
    _accepts("202 with a giant task_id", {"task_id": "t" * 10_000}, "$.task_id", "longer than"),
    _accepts("202 with dots", {"task_id": ".."}, "$.task_id", "only dots"),
    _accepts("202 with a line break", {"task_id": "t\r\nX: y"}, "$.task_id", "not printable"),
    _task("task pending for ever", shows({"status": "pending"}), TransportFailed, "not done within", retried=True, quick=True),
    _task("task failed", shows({"status": "failed"}), HttpRefused, "task of the 202 failed", retried=True),
    _task("task in an unknown state", shows({"status": "maybe"}), SchemaViolated, "no word", path="$.status"),
    _task("task state a number", shows({"status": 3}), SchemaViolated, "no word", path="$.status"),
    _task("another task", shows({"task_id": "t-2", "status": "done"}), EchoMismatched, "not the one", path="$.task_id"),
    _task("done without an echo", shows({"status": "done"}), SchemaViolated, "missing", path="$.success"),
    _task(
        "done for another request", shows({"success": True, "request_id": "x", "user_id": "x", "session_id": "x"}),
        EchoMismatched, "came back", path="$.request_id",
    ),
    _task("status 404", shows({}, status="404 Not Found"), HttpRefused, "status URL answered 404"),
    _task("status 401", shows({}, status="401 Unauthorized"), AuthenticationRefused, "401"),
    _task("status redirects", shows({}, status="302 Found"), HttpRefused, "status URL answered 302"),
    _task("status always 503", shows({}, status="503 Busy"), HttpRefused, "status URL answered 503", retried=True),
    _task("status is HTML", says(b"<html>"), JsonInvalid, "", path="$"),
    _task("status never ends", pours(CHUNKED, b"4000\r\n" + b" " * 0x4000 + b"\r\n"), LimitExceeded, "larger than"),
)  # fmt: skip

MISBEHAVIOURS = (
    *_BROKEN, *_SIZES, *_HTTP, *_BUSY, *_STATUSES, *_JSON, *_SHAPES, *_MEDIA, *_ADDS, *_TASKS,
)  # fmt: skip


@dataclass(frozen=True)
class Oddity:
    name: str
    speak: Speak
    memories: tuple[tuple[str, str], ...] | None = ()
    """Ids and contents that must come out; None for an Add."""


def _found(*pairs: tuple[str, str]) -> bytes:
    return json.dumps({"data": [{"id": key, "content": text} for key, text in pairs]}).encode()


_NAUGHTY = (("a\x00b", "\u202eright to left\u202c"), ("e\u0301", "\u00e9"), ("\U0001f600", "<script>alert(1)</script>"))

TOLERATED = (
    Oddity("HTTP/1.0 to the end", raw(b"HTTP/1.0 200 OK\r\n\r\n" + OK)),
    Oddity("no content type", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n" + OK)),
    Oddity("text/html for JSON", raw(b"HTTP/1.1 200 Fine\r\ncontent-type: text/html\r\nContent-Length: 11\r\n\r\n" + OK)),
    Oddity("a coding that codes nothing, to the end", raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n" + OK)),
    Oddity("no reason phrase", raw(b"HTTP/1.1 200\r\nContent-Length: 11\r\n\r\n" + OK)),
    Oddity("one 103 first", raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" + message(OK))),
    Oddity("chunks of one byte", raw(CHUNKED + b"".join(b"1\r\n%c\r\n" % byte for byte in OK) + b"0\r\n\r\n")),
    Oddity("white space around", says(b" \n" + OK + b"\r\n")),
    Oddity("unknown fields", shows({"data": [_ITEM | {"x": [1e-300, -0.0, 10**30]}], "took": None}), (("m1", "tea"),)),
    Oddity("the same id twice", says(_found(("a", "1"), ("a", "2"))), (("a", "1"), ("a", "2"))),
    Oddity("NUL, marks and emoji", says(_found(*_NAUGHTY)), _NAUGHTY),
    Oddity("raw emoji", says(json.dumps({"data": [{"id": "😀", "content": "𝄞"}]}, ensure_ascii=False).encode()), (("😀", "𝄞"),)),
    Oddity("score null", shows({"data": [_ITEM | {"score": None, "created_at": None}]}), (("m1", "tea"),)),
    Oddity("Add's fields and more", echoes(memory_ids=["m"], took_ms=3), None),
)  # fmt: skip


def _unhurried() -> Speak:
    async def speak(exchange: Exchange) -> bool:
        await asyncio.sleep(0.01)
        await exchange.write(message(OK))
        return True

    return speak


def _giant() -> Speak:
    """As large as is allowed, and nothing wrong with it."""
    return shows({"data": [{"id": str(number), "content": 'a "quoted" word ' * 300_000} for number in range(5)]})


SPEAKERS: dict[str, Callable[[], Speak]] = {
    **{each.name: (lambda speak=each.speak: speak) for each in MISBEHAVIOURS},
    "unhurried": _unhurried,
    "giant": _giant,
}
"""What a process of its own can serve."""
