"""NATS and Postgres alone, as children of this process: what a test of one service needs."""

import asyncio
import random
import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote, urlsplit

from .assembly import infrastructure, locate
from .charge import StartFailed, describe_exit
from .home import Layout, hold_home, make_home
from .ports import claim_ports
from .postgres_place import abandon_place
from .probes import probe
from .process_plan import ProcessPlan
from .settings import StackSettings
from .spawning import log_tail, spawn

READY_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 10.0


class Infra:
    """A context manager, or `stop()`. Linux ends both processes also when the calling thread dies."""

    def __init__(self, layout: Layout, settings: StackSettings, environ: Mapping[str, str]) -> None:
        self.layout = layout
        self._running: list[tuple[ProcessPlan, subprocess.Popen[bytes]]] = []
        self._held = ExitStack()
        self._held.enter_context(hold_home(layout))
        try:
            ports = claim_ports(("nats", "nats-monitor", "postgres"), layout.ports_file, random.Random())  # noqa: S311
            for prepare in infrastructure(layout, settings, ports, environ).values():
                plan = prepare()  # NATS boots while the database is made
                self._running.append((plan, spawn(plan)))
            for plan, process in self._running:
                _await_ready(plan, process)
        except BaseException:
            self.stop()
            raise
        addresses = locate(layout, settings, ports)
        self.nats_url = addresses.nats_url
        self.nats_token_file = addresses.nats_token_file
        self.database_url = addresses.database_url
        self.password_file = addresses.database_password_file

    @property
    def nats_url_with_token(self) -> str:
        return with_credential(self.nats_url, "", self.nats_token_file)

    @property
    def database_url_with_password(self) -> str:
        return with_credential(self.database_url, urlsplit(self.database_url).username or "", self.password_file)

    def stop(self, *, remove: bool = False) -> None:
        """`remove` also deletes what Postgres had to keep outside the home."""
        for plan, process in reversed(self._running):
            process.send_signal(plan.stop_signal)
        for _, process in self._running:
            try:
                process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._running.clear()
        if remove:
            abandon_place(self.layout)
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start_infra(
    home: Path, *, settings: StackSettings | None = None, environ: Mapping[str, str] | None = None
) -> Infra:
    """Returns when both are ready. Raises `StartFailed`, `HomeBusy`, `PostgresUnusable`, `ProgramMissing`."""
    return Infra(make_home(home), settings or StackSettings(), environ or {})


def with_credential(url: str, user: str, secret_file: Path | None) -> str:
    """The address with its secret in it, for clients that take one string."""
    if secret_file is None:
        return url
    parts = urlsplit(url)
    secret = quote(secret_file.read_text().strip(), safe="")
    place = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{user}:{secret}@{place}" if user else f"{secret}@{place}").geturl()


def _await_ready(plan: ProcessPlan, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    with ThreadPoolExecutor(1) as aside:  # the caller may itself be inside a running loop
        while not (health := aside.submit(asyncio.run, probe(plan.readiness, process.pid)).result()).ready:
            if (status := process.poll()) is not None:
                raise StartFailed(plan.name, describe_exit(status), log_tail(plan.log_file))
            if time.monotonic() > deadline:
                problem = f"was not ready after {READY_TIMEOUT_S:g} s ({health.detail})"
                raise StartFailed(plan.name, problem, log_tail(plan.log_file))
            time.sleep(0.01)
