"""Asking a process whether it is ready. Standard library only: `aml up` has two seconds in all."""

import asyncio
import contextlib
import json
from pathlib import Path

from msgspec import Struct

from .ports import HOST
from .process_plan import HttpReady, PostmasterReady, Readiness

TIMEOUT_S = 2.0
REPLY_LIMIT_BYTES = 65_536


class Health(Struct, frozen=True, kw_only=True):
    ready: bool
    detail: str
    """`ready`, or what it said, or why it could not be asked."""


async def probe(readiness: Readiness, pid: int) -> Health:
    """`pid` is the process that is meant, where a predecessor may have left its word behind."""
    match readiness:
        case HttpReady(port=port, path=path):
            return await probe_http(port, path)
        case PostmasterReady(pid_file=pid_file):
            return probe_postmaster(pid_file, pid)


async def probe_http(port: int, path: str, timeout_s: float = TIMEOUT_S) -> Health:
    try:
        async with asyncio.timeout(timeout_s):
            reply = await _get(port, path)
    except TimeoutError:
        return Health(ready=False, detail=f"no answer from port {port} in {timeout_s:g} s")
    except OSError:
        return Health(ready=False, detail=f"nothing listens on port {port}")
    return read_reply(reply)


def read_reply(reply: bytes) -> Health:
    head, _, body = reply.partition(b"\r\n\r\n")
    words = head.split(b"\r\n", 1)[0].split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/"):
        return Health(ready=False, detail="answers, but not in HTTP")
    if words[1] == b"200":
        return Health(ready=True, detail="ready")
    return Health(ready=False, detail=f"HTTP {words[1].decode(errors='replace')}: {_reason(body)}")


def probe_postmaster(pid_file: Path, pid: int) -> Health:
    try:
        lines = pid_file.read_text().splitlines()
    except FileNotFoundError:
        return Health(ready=False, detail="no postmaster.pid yet")
    except OSError as error:
        return Health(ready=False, detail=f"postmaster.pid cannot be read: {error.strerror}")
    status = lines[7].strip() if len(lines) > 7 and lines[0] == str(pid) else "starting"
    return Health(ready=status == "ready", detail=status)


async def _get(port: int, path: str) -> bytes:
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        reply = b""
        while len(reply) < REPLY_LIMIT_BYTES and (part := await reader.read(REPLY_LIMIT_BYTES)):
            reply += part
        return reply
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _reason(body: bytes) -> str:
    """One line of a probe's body, which is JSON in our own services."""
    text = body.decode(errors="replace").strip()
    try:
        parsed = json.loads(text)
    except ValueError:
        return text.splitlines()[0][:200] if text else "no reason given"
    return json.dumps(parsed, ensure_ascii=False)[:300]
