import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from tests.factories.platform_views import a_job, as_json

from aml.gateway.jobs.views import Job
from aml.toolkit.platform import Platform, PlatformRefused, PlatformUnreachable, progress_events
from aml.toolkit.platform.progress_events import EventLines, ServerEvent

Answer = Callable[[httpx.Request], httpx.Response]
STREAM = {"content-type": "text/event-stream"}
NOTHING = ": keep-alive\r\n\r\n"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_events, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(progress_events, "POLL_SECONDS", 0.0)


def a_platform(answer: Answer) -> Platform:
    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    return Platform("http://platform", "aml_key", http=http, patience_seconds=0.0)


def event(name: str, job: Job) -> str:
    return f"id: {name}\r\nevent: progress\r\ndata: {as_json(job).decode()}\r\n\r\n"


async def watched(answer: Answer) -> list[Job]:
    async with asyncio.timeout(5):
        return [job async for job in a_platform(answer).watch("job-1")]


class Broken(httpx.AsyncByteStream):
    """A stream that breaks behind what it said."""

    def __init__(self, text: str, error: httpx.TransportError) -> None:
        self._text = text
        self._error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._text.encode()
        raise self._error


async def test_events_come_one_by_one_to_the_last() -> None:
    running, ended = a_job(stage="retrieval", run_label="a\u2028b"), a_job()
    text = "retry: 10\r\n\r\n" + event("1", running) + NOTHING + event("2", ended)

    jobs = await watched(lambda _: httpx.Response(200, headers=STREAM, content=text.encode()))

    assert jobs == [running, ended]


async def test_a_broken_stream_goes_on_behind_the_last_event() -> None:
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("Last-Event-ID"))
        if len(asked) == 1:
            broken = Broken(event("7", a_job(stage="ingest")), httpx.RemoteProtocolError("reset"))
            return httpx.Response(200, headers=STREAM, stream=broken)
        return httpx.Response(200, headers=STREAM, content=event("8", a_job()).encode())

    jobs = await watched(answer)

    assert [job.stage for job in jobs] == ["ingest", "ended"]
    assert asked == [None, "7"]


async def test_a_job_whose_end_was_read_is_asked_for_once_more() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/events"):
            return httpx.Response(204)
        return httpx.Response(200, content=as_json(a_job()))

    assert [job.stage for job in await watched(answer)] == ["ended"]


@pytest.mark.parametrize(
    "held_back",
    [
        httpx.Response(200, headers={"content-type": "text/html"}, content=b"<p>hello"),
        httpx.Response(200, headers=STREAM, content=NOTHING.encode()),
    ],
    ids=["a page", "no event"],
)
async def test_where_no_event_comes_through_the_job_is_polled(held_back: httpx.Response) -> None:
    stages = iter(["queued", "retrieval", "ended"])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/events"):
            return httpx.Response(held_back.status_code, headers=held_back.headers, content=held_back.content)
        return httpx.Response(200, content=as_json(a_job(stage=next(stages))))

    assert [job.stage for job in await watched(answer)] == ["queued", "retrieval", "ended"]


async def test_silence_is_no_event_either() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/events"):
            return httpx.Response(200, headers=STREAM, stream=Broken(NOTHING, httpx.ReadTimeout("silent")))
        return httpx.Response(200, content=as_json(a_job()))

    assert [job.stage for job in await watched(answer)] == ["ended"]


async def test_a_refusal_is_one_and_not_waited_for() -> None:
    detail = {"detail": {"reason": "job_unknown", "message": "there is no such job"}}

    with pytest.raises(PlatformRefused, match="job_unknown"):
        await watched(lambda _: httpx.Response(404, json=detail))


async def test_a_platform_that_is_away_is_waited_for_in_bounds() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(PlatformUnreachable, match="refused"):
        await watched(answer)


async def test_an_event_that_is_no_job_is_said_to_be_none() -> None:
    with pytest.raises(PlatformUnreachable, match="an event is no job"):
        await watched(lambda _: httpx.Response(200, headers=STREAM, content=b"id: 1\ndata: {}\n\n"))


def taken(*lines: str) -> list[ServerEvent]:
    reader = EventLines()
    return [found for line in lines if (found := reader.take(line)) is not None]


def test_lines_make_events_as_the_standard_says() -> None:
    assert taken("id: 1", "data: a", "data:b", "", ": a comment", "", "data: c", "") == [
        ServerEvent(id="1", data="a\nb"),
        ServerEvent(id="1", data="c"),
    ]
    assert taken("id: x\0y", "data", "", "unknown: field", "") == [ServerEvent(id=None, data="")]


@pytest.mark.parametrize(("said", "seconds"), [("250", 0.25), ("later", 2.0), ("99999999", 45.0)])
def test_the_pause_before_a_return_is_the_servers_within_bounds(
    said: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_events, "RETRY_SECONDS", 2.0)
    reader = EventLines()

    reader.take(f"retry: {said}")

    assert reader.retry_seconds == seconds
