"""One local stack with example systems for all browser tests, and a browser a module."""

import asyncio
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import open_chromium
from tests.browser.look import PLAIN, Look
from tests.browser.platform_door import Entrant, PlatformDoor
from tests.browser.visitor import PATIENCE_MS, Visitor
from tests.e2e.running_stack import RunningStack
from tests.factories.memory_server import MemoryServer

from aml.toolkit.evaluation.example_participant import start_example
from aml.toolkit.local import LocalStack

HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>&amp; {0} %s \u05e9\u05dc\u05d5\u05dd'
"""HTML, a character reference, fields of format strings, and words from right to left."""


@pytest.fixture(scope="session")
def stack() -> Iterator[RunningStack]:
    with tempfile.TemporaryDirectory(prefix="aml-browser-") as folder:
        local = LocalStack(Path(folder) / "home")
        try:
            yield RunningStack(local, local.ensure_running())
        finally:
            local.remove()


@pytest.fixture(scope="session")
def door(stack: RunningStack) -> PlatformDoor:
    return PlatformDoor(stack)


@pytest.fixture(scope="session")
def memory_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the example system on SQLite's full-text index listens."""
    example = start_example("fts5", tmp_path_factory.mktemp("example") / "fts5.log")
    yield example.base_url
    example.stop()


@pytest.fixture(scope="session")
def slow_memory() -> Iterator[MemoryServer]:
    """Takes as long as its `delay_seconds` says, so that a run lasts while a page is looked at."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = MemoryServer()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
    yield server
    asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="session")
def shots(request: pytest.FixtureRequest) -> Path:
    """Where the pictures are kept: `AML_BROWSER_SHOTS`, or a temporary folder that stays."""
    folder = Path(os.environ.get("AML_BROWSER_SHOTS") or tempfile.mkdtemp(prefix="aml-browser-shots-"))
    folder.mkdir(parents=True, exist_ok=True)
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\npictures of the pages: {folder}")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with open_chromium() as browser:
        yield browser


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, stack: RunningStack, shots: Path) -> Iterator[Visit]:
    """`visit(look, key=…)` opens a browser of one's own; at the end of the test none of them may have a complaint."""
    opened: list[Visitor] = []

    def visit(look: Look = PLAIN, **options: Any) -> Visitor:
        opened.append(Visitor(browser, stack.info.portal, shots, look, **options))
        return opened[-1]

    yield visit
    for visitor in opened:
        visitor.close()


@dataclass(frozen=True)
class Published:
    """What is on the platform before anybody comes: three systems with a row each, and a result that waits for a reviewer."""

    first: Entrant
    second: Entrant
    hostile: Entrant
    first_job: str
    second_job: str
    hostile_job: str
    later_job: str
    """Of the first system again. The gate passes one result a version, so that this one is its owner's alone."""
    waiting_job: str
    """Of the first system's next version, complete and undecided."""


@pytest.fixture(scope="session")
def published(door: PlatformDoor, memory_url: str, slow_memory: MemoryServer) -> Published:
    first = door.enter(memory_url, system="Anamnesis", version="2.1", organisation="Lethe Lab")
    second = door.enter(slow_memory.url, system="Recall", version="0.9", organisation="Mnemosyne", commit="c" * 40)
    hostile = door.enter(memory_url, system=HOSTILE, version=HOSTILE, organisation=HOSTILE)
    first_job, second_job, hostile_job = (
        door.prove(first, "final"),
        door.prove(second, "final"),
        door.prove(hostile, HOSTILE),
    )
    door.publish(first_job, second_job, hostile_job)
    later_job = door.run(first, "full", "after the fix")
    next_version = door.enter(memory_url, system="Anamnesis", version="2.2", organisation="Lethe Lab")
    waiting_job = door.prove(next_version, "final")
    return Published(first, second, hostile, first_job, second_job, hostile_job, later_job, waiting_job)
