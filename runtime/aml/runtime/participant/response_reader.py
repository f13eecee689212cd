"""Bytes from a connection made into one response after the other: llhttp's parser, and the bounds that it does not know. No I/O.

Bounds: of a head and of what is not body at all (interim answers, chunk sizes, trailers), of headers, and of the body.
The parser is strict but for two things that servers do and that mean one thing only: a line that ends without CR, and
spaces after a chunk's size.
"""

import asyncio
from typing import Final

import httptools

from .errors import HttpRefused, LimitExceeded, ParticipantError, TransportFailed
from .reply import Reply

MAX_HEADERS: Final = 128
OVERHEAD_BYTES: Final = 64 * 1024
OVERHEAD_A_BYTE: Final = 8
"""A body in chunks of one byte each has five bytes around every one."""

_WANTED: Final = frozenset((b"content-encoding", b"content-length", b"retry-after", b"transfer-encoding"))
_NO_BODY: Final = (204, 304)
_SWITCHED: Final = 101
_SEND_A_LENGTH: Final = "send Content-Length or chunks, or close TLS with close_notify (RFC 9112 §9.8)"


class ResponseReader:
    """`expect` before each response; `complete` or `failure` says that it has come to its end."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True)
        self.expect(0)

    def expect(self, cap: int) -> None:
        """`cap`: bytes of body."""
        self._cap = cap
        self._raw = 0
        self._body: bytes | bytearray = b""
        """As it came where it came in one piece, which is nearly always; else one buffer, as pieces can be of two bytes."""
        self.size = 0
        """Bytes of body that have come."""
        self.status: int | None = None
        """Once the head has come."""
        self.complete = False
        self.ended = False
        """Complete, or failed."""
        self.reusable = False
        """The connection may carry another request."""
        self._decided = False
        """By the head alone: what follows it is none of ours."""
        self.failure: ParticipantError | None = None
        self._forget_headers()

    def take(self, place: asyncio.Semaphore | None) -> Reply:
        """Once it has ended. Raises the failure."""
        if self.failure is not None:
            raise self.failure
        assert self.status is not None
        body, self._body = self._body, b""
        retry_after = self._headers.get(b"retry-after")
        return Reply(
            status=self.status,
            body=bytes(body),
            retry_after=None if retry_after is None else retry_after.decode("latin-1"),
            place=place,
        )

    def feed(self, data: bytes) -> None:
        self._raw += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self._decided:
                self.give_up(_not_http())
        if not self.ended and self._raw - self.size > OVERHEAD_BYTES + OVERHEAD_A_BYTE * self.size:
            self.give_up(_not_http())

    def free(self) -> None:
        """Once nothing more will be fed: the parser and its reader hold one another, and nobody looks for cycles often."""
        del self._parser

    def end(self, error: Exception | None) -> None:
        """Nothing more comes; `error` where the connection was not closed in order."""
        if self.ended:
            return
        if self.status is not None and self._ends_with_connection() and error is None:
            self._finish()
        elif self.status is not None and self._ends_with_connection():
            problem = "the response broke off, or it has no length and its connection did not end in order"
            self.give_up(TransportFailed(problem, retryable=True, advice=_SEND_A_LENGTH))
        elif self.status is not None:
            self.give_up(TransportFailed("the response broke off before its announced end", retryable=True))
        elif error is None:
            self.give_up(TransportFailed("the server closed the connection without an answer", retryable=True))
        else:
            self.give_up(TransportFailed("the connection broke", retryable=True))

    def give_up(self, failure: ParticipantError) -> None:
        """The first failure stands. What was complete is no longer: bytes that do not belong to it make its end doubtful."""
        if self.failure is None:
            failure.status = self.status
            self.failure = failure
        self.ended = True
        self.complete = self.reusable = False
        self._body = b""

    # What follows is called by the parser, and must not raise.

    def on_message_begin(self) -> None:
        if self.complete:
            self.reusable = False  # nobody asked for a second answer

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count += 1
        if self._count > MAX_HEADERS:
            self.give_up(_not_http())
        elif (name := name.lower()) in _WANTED and self.status is None:
            self._headers[name] = value

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if self.ended or (100 <= status < 200 and status != _SWITCHED):
            return
        if status < 100:
            self.give_up(_not_http())
            return
        self.status = status
        if status == _SWITCHED:
            self._decided = True
            self._finish()
        elif self._headers.get(b"content-encoding", b"identity").strip().lower() not in (b"", b"identity"):
            # The status decides; a proxy's compressed error page must not make a busy server a broken contract.
            if status == 200:
                self.give_up(_compressed())
            else:
                self._decided = True
                self._finish()
        elif int(self._headers.get(b"content-length") or 0) > self._cap:
            self.give_up(_too_large(self._cap))

    def on_body(self, body: bytes) -> None:
        if self.ended:
            return
        self.size += len(body)
        if not self._body:
            self._body = body
        elif isinstance(self._body, bytearray):
            self._body += body
        else:
            self._body = bytearray(self._body + body)
        if self.size > self._cap:
            self.give_up(_too_large(self._cap))

    def on_message_complete(self) -> None:
        if self.ended:
            return
        if self.status is None:
            self._forget_headers()  # those of an interim answer
            return
        self._finish()
        self.reusable = self._parser.should_keep_alive()

    def _finish(self) -> None:
        self.complete = self.ended = True

    def _ends_with_connection(self) -> bool:
        """RFC 9112 §6.3: where nothing else says how long the body is."""
        chunked = self._headers.get(b"transfer-encoding", b"").strip().lower().endswith(b"chunked")
        return not chunked and b"content-length" not in self._headers and self.status not in _NO_BODY

    def _forget_headers(self) -> None:
        self._headers: dict[bytes, bytes] = {}
        self._count = 0


def _not_http() -> HttpRefused:
    return HttpRefused("the answer is not HTTP that can be read", advice="check that an HTTP server listens there")


def _compressed() -> HttpRefused:
    return HttpRefused(
        "the response is compressed although the request said Accept-Encoding: identity",
        advice="switch compression off for these calls",
    )


def _too_large(cap: int) -> LimitExceeded:
    return LimitExceeded(f"the response is larger than {cap} bytes")
