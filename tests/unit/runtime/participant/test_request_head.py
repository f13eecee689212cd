import pytest
from yarl import URL

from aml.runtime.participant.origin import Origin
from aml.runtime.participant.request_head import request_head

HEADERS = {"Accept-Encoding": "identity", "Authorization": "Bearer k"}


def test_head_and_body_are_as_written() -> None:
    url = URL("https://memory.example:8443/add?a=1%202", encoded=True)
    head, body = request_head("POST", url, HEADERS).with_body('{"q": "茶"}'.encode())

    assert head.decode().split("\r\n") == [
        "POST /add?a=1%202 HTTP/1.1", "Host: memory.example:8443", "Accept-Encoding: identity", "Authorization: Bearer k",
        "Content-Length: 12", "", "",
    ]  # fmt: skip
    assert body == '{"q": "茶"}'.encode()


def test_without_a_body_there_is_no_length() -> None:
    head, body = request_head("GET", URL("http://memory.example/health"), {}).without_body()

    assert (head, body) == (b"GET /health HTTP/1.1\r\nHost: memory.example\r\n\r\n", b"")


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://memory.example/add", Origin("https", "memory.example", 443)),
        ("http://[::1]:8080/add", Origin("http", "::1", 8080)),
    ],
)
def test_the_origin_is_what_is_dialled(url: str, origin: Origin) -> None:
    assert request_head("POST", URL(url), {}).origin == origin


def test_brackets_stay_in_the_host_header() -> None:
    assert b"\r\nHost: [::1]:8080\r\n" in request_head("GET", URL("http://[::1]:8080/"), {}).data


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "a\x00b", "a\x7fb"])
def test_a_value_cannot_end_its_line(value: str) -> None:
    with pytest.raises(ValueError, match="control character") as raised:
        request_head("POST", URL("http://memory.example/add"), {"Authorization": value})
    assert value not in str(raised.value)
