"""Whatever a server sends, in whatever pieces, ends in one reply or one failure."""

import contextlib
import gc
import tracemalloc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.participant.errors import HttpRefused, LimitExceeded, ParticipantError, TransportFailed
from aml.runtime.participant.response_reader import MAX_HEADERS, OVERHEAD_BYTES, ResponseReader

CAP = 1000
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"

READ = {
    "a length": (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", True),
    "no body": (b"HTTP/1.1 204 No Content\r\n\r\n", 204, b"", True),
    "chunks": (CHUNKED + b"1\r\nh\r\n1;x=y\r\ni\r\n0\r\nTrailer: t\r\n\r\n", 200, b"hi", True),
    "spaces after a chunk's size": (CHUNKED + b"2  \r\nhi\r\n0\r\n\r\n", 200, b"hi", True),
    "lines without CR": (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", 200, b"hi", True),
    "an end is announced": (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", False),
    "HTTP/1.0": (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", False),
    "interim answers": (
        INTERIM + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        200, b"hi", True,
    ),
    "a compressed error": (
        b"HTTP/1.1 503 Busy\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08", 503, b"", False
    ),
    "a trailer is no header": (CHUNKED + b"2\r\nhi\r\n0\r\nRetry-After: 9\r\n\r\n", 200, b"hi", True),
    "another protocol": (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", 101, b"", False),
}  # fmt: skip

REFUSED = {
    "no HTTP": (b"SSH-2.0-OpenSSH_9.9\r\n", HttpRefused, "not HTTP"),
    "a status below 100": (
        b"HTTP/1.1 099 X\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        HttpRefused, "not HTTP",
    ),
    "compressed in the second line": (
        b"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
        HttpRefused, "compressed",
    ),
    "compressed": (b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", HttpRefused, "compressed"),
    "an announced giant": (b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", LimitExceeded, "1000 bytes"),
    "a giant in chunks": (CHUNKED + b"3e9\r\n" + b" " * 1001, LimitExceeded, "1000 bytes"),
    "length and chunks": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", HttpRefused, "not HTTP"
    ),
    "many headers": (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * (MAX_HEADERS + 1) + b"\r\n", HttpRefused, "not HTTP"),
    "a long header": (b"HTTP/1.1 200 OK\r\nA: " + b"b" * OVERHEAD_BYTES, HttpRefused, "not HTTP"),
    "long chunk extensions": (CHUNKED + b"1;" + b"x" * OVERHEAD_BYTES, HttpRefused, "not HTTP"),
    "a long trailer": (CHUNKED + b"0\r\nA: " + b"b" * OVERHEAD_BYTES, HttpRefused, "not HTTP"),
    "endless interim answers": (b"HTTP/1.1 100 Continue\r\n\r\n" * 3_000, HttpRefused, "not HTTP"),
    "more than was announced": (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi garbage", HttpRefused, "not HTTP"),
}  # fmt: skip


def reading(*pieces: bytes) -> ResponseReader:
    reader = ResponseReader()
    reader.expect(CAP)
    for piece in pieces:
        reader.feed(piece)
    return reader


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_read_the_same_in_any_two_pieces(name: str) -> None:
    data, status, body, reusable = READ[name]
    for at in range(1, len(data) + 1):
        reader = reading(data[:at], data[at:]) if at < len(data) else reading(data)
        reply = reader.take(None)
        assert (reply.status, reply.body, reply.retry_after, reader.reusable) == (status, body, None, reusable), at


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_whole_and_byte_by_byte(name: str) -> None:
    data, error, problem = REFUSED[name]
    for reader in (reading(data), reading(*(data[at : at + 97] for at in range(0, len(data), 97)))):
        with pytest.raises(error, match=problem):
            reader.take(None)
        assert not reader.reusable


@pytest.mark.parametrize("coding", [b"", b"Transfer-Encoding: identity\r\n", b"Connection: keep-alive\r\n"])
def test_a_body_without_a_length_ends_with_its_connection(coding: bytes) -> None:
    reader = reading(b"HTTP/1.1 200 OK\r\n" + coding + b"Retry-After: 7\r\n\r\nall", b" of it")
    assert not reader.ended
    reader.end(None)

    assert (reader.take(None).body, reader.take(None).retry_after) == (b"all of it", "7")
    assert not reader.reusable


@pytest.mark.parametrize(
    ("data", "error", "problem"),
    [
        (b"", None, "closed the connection"),
        (b"HTTP/1.1 200", None, "closed the connection"),
        (b"", ConnectionResetError(), "broke"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nh", None, "broke off"),
        (b"HTTP/1.1 200 OK\r\n\r\nh", ConnectionResetError(), "broke off"),
        (CHUNKED + b"1\r\nh\r\n", None, "broke off"),
    ],
)
def test_an_end_before_the_end_is_a_matter_of_transport(data: bytes, error: Exception | None, problem: str) -> None:
    reader = reading(data)
    reader.end(error)

    with pytest.raises(TransportFailed, match=problem) as raised:
        reader.take(None)
    assert raised.value.retryable
    assert raised.value.status == reader.status


def test_an_answer_that_nobody_asked_for_ends_the_connection_and_is_not_read() -> None:
    one, two = (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + body for body in (b"one", b"two"))
    reader = reading(one + two)

    assert reader.take(None).body == b"one"
    assert not reader.reusable


@pytest.mark.parametrize("framing", [b"Content-Length: 900000\r\n", b"Transfer-Encoding: chunked\r\n", b""])
def test_a_busy_server_s_compressed_page_is_not_read_whatever_it_is(framing: bytes) -> None:
    head = b"HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Encoding: gzip\r\n" + framing + b"\r\n"
    reader = reading(head + b"\x1f" * 4 * OVERHEAD_BYTES, b"\x8b" * OVERHEAD_BYTES)
    reader.end(None)

    reply = reader.take(None)
    assert (reply.status, reply.body, reply.retry_after, reader.reusable) == (503, b"", "3", False)


def test_a_reader_that_is_freed_leaves_nothing_to_the_collector() -> None:
    reader = reading(READ["a length"][0])
    left = weakref.ref(reader)
    gc.disable()
    try:
        reader.free()
        del reader
        assert left() is None
    finally:
        gc.enable()


def test_one_reader_reads_one_answer_after_the_other() -> None:
    reader = reading(READ["chunks"][0])
    assert reader.take(None).body == b"hi"

    reader.expect(CAP)
    assert (reader.ended, reader.status, reader.size) == (False, None, 0)
    reader.feed(b"HTTP/1.1 429 Slow\r\nRetry-After: 3\r\nContent-Length: 1\r\n\r\nx")

    reply = reader.take(None)
    assert (reply.status, reply.body, reply.retry_after) == (429, b"x", "3")


def test_a_body_in_the_smallest_chunks_takes_no_more_than_its_bytes() -> None:
    reader = ResponseReader()
    reader.expect(1 << 30)
    reader.feed(CHUNKED)
    tracemalloc.start()
    try:
        for _ in range(10):
            reader.feed(b"2\r\nhi\r\n" * 10_000)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reader.size == 200_000
    assert held < 2 * reader.size


@given(st.lists(st.binary(max_size=80), max_size=8), st.booleans())
def test_any_bytes_end_in_a_reply_or_a_failure(pieces: list[bytes], headed: bool) -> None:
    reader = reading(*([CHUNKED, *pieces] if headed else pieces))
    reader.end(None)

    assert reader.complete is (reader.failure is None)
    with contextlib.suppress(ParticipantError):
        assert reader.take(None).status == reader.status


@given(st.binary(max_size=300), st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 64))
def test_chunks_and_pieces_change_nothing(body: bytes, sizes: list[int], piece: int) -> None:
    chunks, rest = [], body
    while rest:
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(b"%x\r\n%b\r\n" % (len(rest[:size]), rest[:size]))
        rest = rest[size:]
    data = CHUNKED + b"".join(chunks) + b"0\r\n\r\n"

    reader = reading(*(data[at : at + piece] for at in range(0, len(data), piece)))
    assert reader.take(None).body == body
    assert reader.reusable
