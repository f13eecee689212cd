import socket
from pathlib import Path

import pytest

from aml.toolkit.local.ports import HOST
from aml.toolkit.local.probes import probe, probe_http, read_reply
from aml.toolkit.local.process_plan import PostmasterReady


@pytest.mark.parametrize(
    ("reply", "ready", "detail"),
    [
        (b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n{}", True, "ready"),
        (b'HTTP/1.1 503 No\r\n\r\n{"problems": {"database": "refused"}}', False, "refused"),
        (b"HTTP/1.1 404 Not Found\r\n\r\nnothing here\nmore", False, "HTTP 404: nothing here"),
        (b"HTTP/1.1 500\r\n\r\n", False, "no reason given"),
        (b"SSH-2.0-OpenSSH\r\n", False, "not in HTTP"),
        (b"", False, "not in HTTP"),
    ],
)
def test_only_a_200_is_ready_and_the_reason_is_handed_on(reply: bytes, ready: bool, detail: str) -> None:
    health = read_reply(reply)

    assert health.ready is ready
    assert detail in health.detail


async def test_a_closed_port_is_not_ready() -> None:
    health = await probe_http(1, "/health/ready")

    assert not health.ready
    assert "nothing listens" in health.detail


async def test_a_process_that_hangs_is_given_up_on() -> None:
    with socket.create_server((HOST, 0)) as never_accepts:
        health = await probe_http(never_accepts.getsockname()[1], "/", timeout_s=0.05)

    assert not health.ready
    assert "no answer" in health.detail


@pytest.mark.parametrize(
    ("lines", "ready"),
    [(["1"] * 7 + ["ready   "], True), (["1"] * 7 + ["starting"], False), (["1"], False), ([], False)],
)
async def test_postgres_says_by_its_pid_file_that_it_is_ready(tmp_path: Path, lines: list[str], ready: bool) -> None:
    pid_file = tmp_path / "postmaster.pid"
    pid_file.write_text("\n".join(lines))

    assert (await probe(PostmasterReady(pid_file=pid_file), 1)).ready is ready
    assert not (await probe(PostmasterReady(pid_file=pid_file), 2)).ready, "a predecessor's word"
    assert not (await probe(PostmasterReady(pid_file=tmp_path / "absent"), 1)).ready
