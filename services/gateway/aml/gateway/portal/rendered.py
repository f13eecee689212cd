"""Bytes that are answered again and again: compressed once, with an ETag, so that a reload costs a header."""

import gzip
import hashlib
from typing import Any

from litestar import Request, Response
from msgspec import Struct

SMALLEST_GZIP = 860
"""Bytes; below it a packet is saved by nothing."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), "
        "microphone=(), payment=(), usb=()"
    ),
}


class Rendered(Struct, frozen=True, kw_only=True):
    body: bytes
    gzipped: bytes | None
    etag: str
    media_type: str
    """Without a charset: Litestar adds that of texts."""


def make_rendered(body: bytes, media_type: str) -> Rendered:
    packed = gzip.compress(body, 9, mtime=0) if len(body) >= SMALLEST_GZIP else None
    return Rendered(
        body=body,
        gzipped=packed,
        etag=hashlib.sha256(body).hexdigest()[:24],
        media_type=media_type,
    )


def answer_with(request: Request[Any, Any, Any], rendered: Rendered) -> Response[bytes]:
    """304 where the reader has it, gzip where it is accepted."""
    packed = rendered.gzipped if accepts_gzip(request.headers.get("accept-encoding", "")) else None
    etag = f'"{rendered.etag}{"-gz" if packed is not None else ""}"'
    headers = HEADERS | {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=rendered.media_type)
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(packed if packed is not None else rendered.body, headers=headers, media_type=rendered.media_type)


def accepts_gzip(header: str) -> bool:
    for offer in header.lower().split(","):
        name, _, quality = offer.partition(";")
        if name.strip() in ("gzip", "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
