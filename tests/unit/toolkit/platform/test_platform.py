from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from tests.factories.platform_views import a_job, as_json

from aml.gateway.jobs.bodies import JobOrder
from aml.toolkit.platform import Platform, PlatformRefused, PlatformUnreachable

Answer = Callable[[httpx.Request], httpx.Response]
ORDER = JobOrder(version_id="ver-1", mode="smoke", run_label="spring")


def a_platform(answer: Answer, patience_seconds: float = 5.0) -> Platform:
    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    return Platform("http://platform/", "aml_key", http=http, patience_seconds=patience_seconds)


async def test_a_call_carries_the_callers_key_and_gives_a_typed_answer() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=as_json(a_job("job-7")))

    platform = a_platform(answer)
    assert (await platform.job("job-7")).job_id == "job-7"
    await platform.as_caller(None).job("job-7")

    assert str(seen[0].url) == "http://platform/api/v1/jobs/job-7"
    assert seen[0].headers["Authorization"] == "Bearer aml_key"
    assert "Authorization" not in seen[1].headers


async def test_a_refusal_names_the_fields() -> None:
    detail = {
        "reason": "fields_invalid",
        "message": "correct",
        "fields": [{"field": "run_label", "problem": "is empty"}],
    }
    platform = a_platform(lambda _: httpx.Response(422, json={"detail": detail}))

    with pytest.raises(PlatformRefused, match=r"fields_invalid\): run_label is empty") as raised:
        await platform.create_job(ORDER)
    assert (raised.value.status, raised.value.fields) == (422, (("run_label", "is empty"),))


@pytest.mark.parametrize("content", [b"<html>", b"{}", b'{"detail": "no"}'])
async def test_a_refusal_without_a_reason_is_still_one_line(content: bytes) -> None:
    with pytest.raises(PlatformRefused, match="HTTP 500 without a reason"):
        await a_platform(lambda _: httpx.Response(500, content=content)).me()


async def test_a_success_of_another_shape_is_no_success() -> None:
    with pytest.raises(PlatformUnreachable, match="something else than a Me"):
        await a_platform(lambda _: httpx.Response(200, json={"hello": 1})).me()


async def test_a_creation_survives_a_restart_and_is_sent_under_one_key() -> None:
    keys: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) == 1:
            raise httpx.ReadError("reset", request=request)
        if len(keys) == 2:
            return httpx.Response(503, json={"detail": {"reason": "starting", "message": "wait"}})
        return httpx.Response(201, content=as_json(a_job("job-7")))

    assert (await a_platform(answer).create_job(ORDER)).job_id == "job-7"
    assert len(keys) == 3
    assert len(set(keys)) == 1


async def test_a_decision_that_may_have_arrived_is_not_sent_twice() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        raise httpx.ReadError("reset", request=request)

    with pytest.raises(PlatformUnreachable, match="reset"):
        await a_platform(answer).review("job-7", "approve", "good")
    assert len(sent) == 1


async def test_patience_ends_with_one_line() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(PlatformUnreachable, match="http://platform cannot be reached: refused; check its address"):
        await a_platform(answer, patience_seconds=0.0).me()


async def test_a_board_that_is_not_there_yet_is_none() -> None:
    assert await a_platform(lambda _: httpx.Response(404)).board_file("board.json") is None
    assert await a_platform(lambda _: httpx.Response(200, content=b"{}")).board_file("board.json") == b"{}"


async def test_a_refusal_shows_no_control_of_a_terminal() -> None:
    detail = {"reason": "odd", "message": "a\x1b[31mb\nc"}

    with pytest.raises(PlatformRefused, match=r"\(odd\): a \[31mb c$"):
        await a_platform(lambda _: httpx.Response(409, json={"detail": detail})).me()


async def test_an_id_stays_one_step_of_a_path() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        return httpx.Response(404, json={"detail": {"reason": "job_unknown", "message": "no"}})

    for name in ("../operator/keys", "a/b?c#d", ".."):
        with pytest.raises(PlatformRefused):
            await a_platform(answer).job(name)

    assert asked == ["/api/v1/jobs/%2E%2E%2Foperator%2Fkeys", "/api/v1/jobs/a%2Fb%3Fc%23d", "/api/v1/jobs/%2E%2E"]


@pytest.mark.parametrize(("url", "hint"), [("http://127.0.0.1:1", "aml status"), ("http://[", "check its address")])
def test_who_cannot_be_reached_decides_the_hint(url: str, hint: str) -> None:
    assert hint in str(PlatformUnreachable(url, "refused"))


async def test_a_package_is_sent_as_it_is_with_its_length(tmp_path: Path) -> None:
    file, seen = tmp_path / "data.jsonl", []
    file.write_bytes(b"x" * 200_000)

    async def answer(request: httpx.Request) -> httpx.Response:
        seen.append((request.method, request.url.query, request.headers["Content-Length"], len(await request.aread())))
        return httpx.Response(409, json={"detail": {"reason": "already_decided", "message": "it stays so"}})

    platform = Platform("http://platform", "t", http=httpx.AsyncClient(transport=httpx.MockTransport(answer)))
    with pytest.raises(PlatformRefused, match="already_decided"):
        await platform.send_package("prop-1", file)

    assert seen == [("PUT", b"filename=data.jsonl", "200000", 200_000)]
