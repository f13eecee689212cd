import socket
from pathlib import Path

import httpx
import pytest

from aml.toolkit.evaluation.example_participant import ExampleFailed, start_example
from aml.toolkit.evaluation.health_check import SystemUnhealthy, check_health


def test_an_example_answers_stops_and_comes_back_at_its_port(tmp_path: Path) -> None:
    first = start_example("nothing", tmp_path / "log")
    try:
        check_health(f"{first.base_url}/health")
        with pytest.raises(SystemUnhealthy, match="answered 404 and not 2xx; start the system, or say"):
            check_health(f"{first.base_url}/nope")
        with pytest.raises(ExampleFailed, match=r"the example nothing ended with exit code .*cannot listen"):
            start_example("nothing", tmp_path / "second", port=first.port)
    finally:
        first.stop()
    assert not first.alive
    again = start_example("nothing", tmp_path / "log", port=first.port)
    try:
        assert again.base_url == first.base_url
        assert httpx.get(f"{again.base_url}/health").is_success
    finally:
        again.stop()
    first.stop()  # a second time is no error


def test_nobody_there_is_unhealthy() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        with pytest.raises(SystemUnhealthy, match=r"failed \(.*refused.*\); start the system"):
            check_health(f"http://127.0.0.1:{port}/health")


def test_what_an_example_remembered_is_removed_with_its_companions(tmp_path: Path) -> None:
    example = start_example("fts5", tmp_path / "log", data=tmp_path / "mine.data")
    example.stop()
    assert (tmp_path / "mine.data").exists()

    example.forget()

    assert list(tmp_path.glob("mine.data*")) == []
