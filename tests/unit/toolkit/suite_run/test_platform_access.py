import asyncio
from pathlib import Path
from typing import Any

import pytest

from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.local import LocalStack
from aml.toolkit.suite_run import platform_access
from aml.toolkit.suite_run.platform_access import RemoteStack, access_platform, choose_stack, datasets_folder


def test_nothing_said_is_the_local_stack_of_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert choose_stack(None, None, None, None) is None
    assert datasets_folder(None) == tmp_path / ".aml" / "datasets"


def test_a_home_and_a_stack_are_taken_as_they_are(tmp_path: Path) -> None:
    stack = LocalStack(tmp_path)

    assert choose_stack(None, None, None, tmp_path) == tmp_path
    assert choose_stack(None, None, None, str(tmp_path)) == tmp_path
    assert choose_stack(stack, None, None, None) is stack
    assert datasets_folder(stack) == tmp_path / "datasets"


@pytest.mark.parametrize(
    ("given", "option"),
    [
        (("host:8000", "key", Path(), None), "stack"),
        (("http://host", None, Path(), None), "operator_key"),
        (("http://host", "key", None, None), "datasets"),
        ((Path("a"), None, None, Path("b")), "home"),
    ],
)
def test_what_is_missing_or_too_much_is_named(given: Any, option: str) -> None:
    with pytest.raises(WrongUsage) as wrong:
        choose_stack(*given)

    assert wrong.value.option == option


async def test_a_stack_at_an_address_is_neither_started_nor_stopped(tmp_path: Path) -> None:
    stack = choose_stack("http://portal:8000/", "key", tmp_path, None)
    assert isinstance(stack, RemoteStack)

    async with access_platform(stack) as access:
        assert (access.url, access.operator_key, access.datasets) == ("http://portal:8000", "key", tmp_path)
        assert await access.checkpoint() is None
    with pytest.raises(WrongUsage, match="no folder"):
        datasets_folder(RemoteStack(url="http://portal", operator_key="key", datasets=tmp_path / "gone"))


async def test_an_interruption_while_the_stack_starts_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would run on with nobody who knows of it."""
    import threading

    starting, started, seen = asyncio.Event(), threading.Event(), []
    loop = asyncio.get_running_loop()

    class Lease:
        def __enter__(self) -> "Lease":
            loop.call_soon_threadsafe(starting.set)
            started.wait(5)
            seen.append("started")
            return self

        def __exit__(self, *_: object) -> None:
            seen.append("given back")

    monkeypatch.setattr(platform_access, "lease_stack", lambda stack, keep: Lease())

    async def use() -> None:
        async with access_platform(tmp_path):
            seen.append("used")

    task = asyncio.create_task(use())
    await starting.wait()
    task.cancel()
    await asyncio.sleep(0)
    started.set()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert seen == ["started", "given back"]


@pytest.mark.parametrize("key", ["wr\nong", "schlüssel", "two words", "\n"])
def test_a_key_that_no_header_carries_is_refused_and_not_shown(key: str, tmp_path: Path) -> None:
    with pytest.raises(WrongUsage) as refused:
        choose_stack("http://portal:8000", key, tmp_path, None)
    with pytest.raises(WrongUsage):
        choose_stack(RemoteStack(url="http://portal:8000", operator_key=key, datasets=tmp_path), None, None, None)

    assert key.strip() not in str(refused.value) or not key.strip()


def test_a_keys_last_line_break_is_left_out(tmp_path: Path) -> None:
    stack = choose_stack("http://portal:8000", "key\n", tmp_path, None)

    assert isinstance(stack, RemoteStack)
    assert stack.operator_key == "key"
