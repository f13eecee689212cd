"""What the ledger says of an application's place, and that its silence is no error."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.factories.events import an_event

from aml.contracts.access import AccessRequested
from aml.gateway.review.log_index import application_id, load_log_indices
from aml.rules.identity import event_id


@pytest.fixture
async def ledger() -> AsyncIterator[tuple[str, dict[str, Any]]]:
    answers: dict[str, Any] = {}

    async def indices(request: web.Request) -> web.Response:
        asked = request.query.getall("event_id")
        if "broken" in answers:
            return web.Response(text=answers["broken"], status=answers.get("status", 200))
        return web.json_response({"indices": {each: answers[each] for each in asked if each in answers}})

    app = web.Application()
    app.router.add_get("/log/indices", indices)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("")).rstrip("/"), answers
    await server.close()


def test_an_application_is_asked_for_by_its_events_own_id() -> None:
    requested = an_event(AccessRequested)
    assert isinstance(requested, AccessRequested)

    assert application_id(requested.access_id) == event_id(requested)


async def test_what_the_log_holds_is_told_and_the_rest_left_out(ledger: tuple[str, dict[str, Any]]) -> None:
    url, answers = ledger
    answers[application_id("acc-1")] = 7

    assert await load_log_indices(url, ["acc-1", "acc-2"]) == {"acc-1": 7}
    assert await load_log_indices(url, []) == {}


@pytest.mark.parametrize(("text", "status"), [("no json", 200), ("{}", 200), ('{"indices": 1}', 200), ("", 503)])
async def test_a_ledger_that_does_not_answer_well_tells_nothing(
    ledger: tuple[str, dict[str, Any]], text: str, status: int
) -> None:
    url, answers = ledger
    answers |= {"broken": text, "status": status}

    assert await load_log_indices(url, ["acc-1"]) == {}


async def test_a_ledger_that_is_away_tells_nothing() -> None:
    assert await load_log_indices("http://127.0.0.1:9", ["acc-1"]) == {}
