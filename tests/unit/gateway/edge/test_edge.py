"""What stands before every answer: a request id, safe headers and the rate limit, whatever lies behind."""

from typing import Any

import msgspec
import pytest
from litestar.types import ASGIApp, Receive, Scope, Send

from aml.gateway.edge.answer_headers import add_safe_headers
from aml.gateway.edge.rate_limit import RateSettings, address_of, limit_rates
from aml.gateway.edge.request_id import name_requests


async def answer_ok(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"public")]})
    await send({"type": "http.response.body", "body": b"ok", "more_body": False})


def a_scope(path: str = "/api/v1/me", address: str = "203.0.113.7", **headers: str) -> Any:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "path": path, "client": (address, 4000), "headers": raw}


async def ask(app: ASGIApp, scope: Any) -> tuple[int, dict[str, str], bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, sent[1]["body"]


async def test_a_request_without_a_name_gets_one_of_its_own() -> None:
    app = name_requests(answer_ok)

    first, second = [(await ask(app, a_scope()))[1]["x-request-id"] for _ in range(2)]

    assert first.startswith("req_")
    assert first != second


async def test_a_harmless_name_of_the_caller_is_kept() -> None:
    _, headers, _ = await ask(name_requests(answer_ok), a_scope(x_request_id="ci-run.17"))

    assert headers["x-request-id"] == "ci-run.17"


@pytest.mark.parametrize("name", ["", "a b", "a\nb", "x" * 65, "<script>", "..", "名"])
async def test_a_name_that_could_forge_a_log_line_is_replaced(name: str) -> None:
    _, headers, _ = await ask(name_requests(answer_ok), a_scope(x_request_id=name))

    assert headers["x-request-id"].startswith("req_")


async def test_what_a_handler_says_itself_stands_and_the_rest_is_added() -> None:
    _, headers, _ = await ask(add_safe_headers(answer_ok), a_scope())

    assert headers["cache-control"] == "public"
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


async def test_over_the_rate_of_a_key_the_answer_is_429_and_says_when() -> None:
    settings = RateSettings(key_per_second=0.1, key_burst=1, address_per_second=0)
    app = limit_rates(settings, clock=lambda: 0.0)(answer_ok)

    statuses = [(await ask(app, a_scope(authorization="Bearer a")))[0] for _ in range(2)]
    status, headers, body = await ask(app, a_scope(authorization="Bearer a"))
    other, _, _ = await ask(app, a_scope(authorization="Bearer b"))

    assert statuses == [200, 429]
    assert (status, headers["retry-after"]) == (429, "10")
    assert msgspec.json.decode(body)["detail"]["reason"] == "rate_limited"
    assert other == 200


async def test_changing_keys_does_not_help_against_the_rate_of_an_address() -> None:
    app = limit_rates(RateSettings(address_per_second=0.1, address_burst=2), clock=lambda: 0.0)(answer_ok)

    statuses = [(await ask(app, a_scope(authorization=f"Bearer {number}")))[0] for number in range(3)]

    assert statuses == [200, 200, 429]


async def test_pages_and_probes_are_not_limited() -> None:
    app = limit_rates(RateSettings(address_per_second=0.1, address_burst=1), clock=lambda: 0.0)(answer_ok)

    statuses = {(await ask(app, a_scope(path)))[0] for path in ("/", "/board/", "/health/ready") for _ in range(3)}

    assert statuses == {200}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "198.51.100.1", "203.0.113.7"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        (2, "6.6.6.6, 198.51.100.1, 10.0.0.1", "198.51.100.1"),
        (1, None, "203.0.113.7"),
    ],
)
def test_only_as_many_hops_are_believed_as_there_are_own_proxies(
    proxies: int, forwarded: str | None, address: str
) -> None:
    scope = a_scope(**({} if forwarded is None else {"x_forwarded_for": forwarded}))

    assert address_of(scope, proxies) == address.encode()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2a02:8071:5050:1::1", "2a02:8071:5050:1:ffff::9", True),
        ("2a02:8071:5050:1::1", "2a02:8071:5050:2::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("no:address", "no:address", True),
    ],
)
def test_whoever_has_one_address_of_an_ipv6_network_has_them_all(one: str, other: str, same: bool) -> None:
    assert (address_of(a_scope(address=one), 0) == address_of(a_scope(address=other), 0)) is same
