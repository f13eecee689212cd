"""What is answered with the bytes: compression where it is accepted, 304 where they are known, the safe headers always."""

import gzip
from typing import Any

import pytest
from litestar import Request, Response, get
from litestar.testing import create_test_client

from aml.gateway.portal.rendered import HEADERS, accepts_gzip, answer_with, make_rendered

LONG = make_rendered(b"<p>" + b"memory " * 500, "text/html")


@get("/")
async def read(request: Request[Any, Any, Any]) -> Response[bytes]:
    return answer_with(request, LONG)


def test_a_page_is_compressed_known_again_and_guarded() -> None:
    with create_test_client(read) as client:
        first = client.get("/", headers={"Accept-Encoding": "gzip"})
        again = client.get("/", headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["etag"]})
        plain = client.get("/", headers={"Accept-Encoding": "identity"})

    assert first.headers["content-encoding"] == "gzip"
    assert first.content == plain.content == LONG.body
    assert plain.headers["etag"] != first.headers["etag"]
    assert (again.status_code, again.content) == (304, b"")
    for answer in (first, again, plain):
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert answer.headers["vary"] == "Accept-Encoding"


def test_the_policy_lets_nothing_in_from_elsewhere_and_nothing_inline() -> None:
    policy = HEADERS["Content-Security-Policy"]

    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_same_bytes_have_the_same_tag_and_short_ones_stay_plain() -> None:
    short = make_rendered(b"x", "text/plain")

    assert short.gzipped is None
    assert make_rendered(LONG.body, LONG.media_type) == LONG
    assert LONG.gzipped is not None
    assert gzip.decompress(LONG.gzipped) == LONG.body


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
    ],
)
def test_accepted_encodings(header: str, accepted: bool) -> None:
    assert accepts_gzip(header) is accepted
