"""A JSON route refuses a body that says it is something else, before the body is read."""

from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
import pytest
from litestar import Litestar, Router, post, put
from litestar.params import JSONBody
from msgspec import Struct

from aml.gateway.edge import http_errors
from aml.gateway.edge.json_body import is_json, require_json


class Order(Struct):
    name: str = ""


@post("/orders")
async def order(data: JSONBody[Order | None] = None) -> str:
    return data.name if data else "nothing"


@put("/package")
async def send_package() -> str:
    return "kept"


@pytest.fixture
async def api() -> AsyncIterator[httpx.AsyncClient]:
    router = Router(path="", before_request=require_json, route_handlers=[order, send_package])
    app = Litestar(route_handlers=[router], exception_handlers=http_errors.HANDLERS, openapi_config=None)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(cast("Any", app)), base_url="http://gateway") as client:
        yield client


@pytest.mark.parametrize(
    "said",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""],
)
async def test_a_body_of_another_type_is_refused(api: httpx.AsyncClient, said: str) -> None:
    answer = await api.post("/orders", content=b'{"name": "tea"}', headers={"Content-Type": said})

    assert (answer.status_code, answer.json()["detail"]["reason"]) == (415, "media_type_unknown")


@pytest.mark.parametrize(
    "said", ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"]
)
async def test_a_body_that_says_json_is_read(api: httpx.AsyncClient, said: str) -> None:
    answer = await api.post("/orders", content=b'{"name": "tea"}', headers={"Content-Type": said})

    assert (answer.status_code, answer.text) == (201, "tea")


async def test_a_body_without_a_type_is_taken_for_json(api: httpx.AsyncClient) -> None:
    answer = await api.post("/orders", content=b'{"name": "tea"}')

    assert (answer.status_code, answer.text) == (201, "tea")


async def test_what_has_no_body_has_no_wrong_type(api: httpx.AsyncClient) -> None:
    answer = await api.post("/orders", headers={"Content-Type": "application/x-www-form-urlencoded"})

    assert (answer.status_code, answer.text) == (201, "nothing")


async def test_a_route_that_takes_other_bodies_is_left_alone(api: httpx.AsyncClient) -> None:
    answer = await api.put("/package", content=b"PK", headers={"Content-Type": "application/zip"})

    assert answer.status_code == 200


@pytest.mark.parametrize("said", ["json", "text/json", "application/", "image/svg+json"])
def test_other_types_are_not_json(said: str) -> None:
    assert not is_json(said)
