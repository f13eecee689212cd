"""The HTTP API from a browser test, for what has happened before the visitor comes.

The browser's own loop occupies the test's thread, so that each call runs in a thread of its own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from tests.e2e.running_stack import RunningStack, ended
from tests.factories.applications import OPEN, an_application

from aml.gateway.access.views import AccessCreated
from aml.gateway.jobs.bodies import JobOrder
from aml.toolkit.demo.await_board import await_board
from aml.toolkit.demo.cast import CONFIRMED
from aml.toolkit.platform import Platform

T = TypeVar("T")


@dataclass(frozen=True)
class Entrant:
    """Somebody with a key and a version, approved."""

    key: str
    version_id: str
    organisation: str


class PlatformDoor:
    def __init__(self, stack: RunningStack) -> None:
        self._stack = stack

    @property
    def operator_key(self) -> str:
        return self._stack.operator_key

    def ask(self, call: Callable[[Platform], Awaitable[T]], key: str | None = None) -> T:
        """As the operator, or as the holder of `key`."""

        async def opened() -> T:
            async with self._stack.platform() as platform:
                return await call(platform if key is None else platform.as_caller(key))

        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(opened())).result()

    def apply(self, memory_url: str, *, commit: str = OPEN["commit"], **names: Any) -> AccessCreated:
        urls = {f"{call}_url": f"{memory_url}/{call}" for call in ("add", "search", "health")}
        application = an_application(
            endpoints=urls, auth="none", memory_system_key=None, disclosure={**OPEN, "commit": commit}, **names
        )
        return self.ask(lambda operator: operator.as_caller(None).request_access(application))

    def enter(self, memory_url: str, *, commit: str = OPEN["commit"], **names: Any) -> Entrant:
        created = self.apply(memory_url, commit=commit, **names)

        async def approved(operator: Platform) -> Entrant:
            await operator.approve(created.access_id)
            key = (await operator.as_caller(created.claim_token).claim(created.access_id)).key
            [version] = (await operator.as_caller(key).versions()).versions
            return Entrant(key, version.version_id, names["organisation"])

        return self.ask(approved)

    def order(self, entrant: Entrant, mode: str, label: str) -> str:
        """The job's id, as soon as it is accepted."""
        checklist = CONFIRMED if mode == "full" else None
        order = JobOrder(version_id=entrant.version_id, mode=mode, run_label=label, checklist=checklist)  # type: ignore[arg-type]
        return self.ask(lambda platform: platform.create_job(order), entrant.key).job_id

    def run(self, entrant: Entrant, mode: str, label: str) -> str:
        """The job's id, once the gate has decided about it."""
        job_id = self.order(entrant, mode, label)
        self.ask(lambda platform: ended(platform, job_id), entrant.key)
        return job_id

    def prove(self, entrant: Entrant, label: str) -> str:
        """A smoke run, and the full run that it opens. Returns the latter's id."""
        self.run(entrant, "smoke", f"smoke {label}"[:120])
        return self.run(entrant, "full", label)

    def publish(self, *job_ids: str) -> None:
        """Approves them, and waits until a reader can see them."""

        async def approved(operator: Platform) -> None:
            for job_id in job_ids:
                await operator.review(job_id, "approve", "Everything checks out.")

        self.ask(approved)
        self.await_rows(*job_ids)

    def await_rows(self, *job_ids: str) -> None:
        """Until the public board has them."""
        self.ask(lambda operator: await_board(operator, frozenset(job_ids), self._stack.stack.layout.logs))
