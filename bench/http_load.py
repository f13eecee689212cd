"""Load over kept-alive HTTP/1.1 connections, written on the sockets: what sends must cost less than what answers."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass

_LENGTH = b"content-length:"


@dataclass(frozen=True)
class Load:
    """Latencies in milliseconds, of the answers that had the status that was expected."""

    answered: int
    refused: int
    seconds: float
    p50_ms: float
    p99_ms: float
    worst_ms: float

    @property
    def per_s(self) -> float:
        return self.answered / self.seconds


def request_of(method: str, host: str, path: str, key: str, body: bytes = b"") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


async def load(port: int, requests: Iterator[bytes], *, in_flight: int, seconds: float, status: int) -> Load:
    """Until the time is over or `requests` ends. Each connection sends its next request when it has its answer."""
    latencies: list[float] = []
    refused = 0
    begun = time.perf_counter()
    until = begun + seconds

    async def caller() -> None:
        nonlocal refused
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            while time.perf_counter() < until and (request := next(requests, None)) is not None:
                sent = time.perf_counter()
                writer.write(request)
                if await _status(reader) == status:
                    latencies.append(time.perf_counter() - sent)
                else:
                    refused += 1
        finally:
            writer.close()

    await asyncio.gather(*(caller() for _ in range(in_flight)))
    took = time.perf_counter() - begun
    latencies.sort()
    return Load(
        answered=len(latencies),
        refused=refused,
        seconds=took,
        p50_ms=_at(latencies, 50),
        p99_ms=_at(latencies, 99),
        worst_ms=_at(latencies, 100),
    )


async def _status(reader: asyncio.StreamReader) -> int:
    """Reads one whole answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    lowered = head.lower()
    start = lowered.index(_LENGTH) + len(_LENGTH)
    await reader.readexactly(int(lowered[start : lowered.index(b"\r\n", start)]))
    return int(head[9:12])


def _at(ordered: list[float], percent: int) -> float:
    return 1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0
