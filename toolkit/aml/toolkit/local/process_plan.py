"""How one process of the stack is started, known to be ready, and stopped."""

import signal
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct


class HttpReady(Struct, frozen=True, kw_only=True, tag="http"):
    """Ready when a GET on 127.0.0.1 answers 200."""

    port: int
    path: str = "/health/ready"


class PostmasterReady(Struct, frozen=True, kw_only=True, tag="postmaster"):
    """Ready when Postgres says so in its own pid file (line 8), which is what pg_ctl waits for."""

    pid_file: Path


Readiness = HttpReady | PostmasterReady


class Account(Struct, frozen=True, kw_only=True):
    """An unprivileged system account that a process started by root drops to."""

    name: str
    uid: int
    gid: int


class ProcessPlan(Struct, frozen=True, kw_only=True):
    name: str
    command: tuple[str, ...]
    module: str | None = None
    """The module that `command` runs, where a nursery may fork it instead."""
    environment: dict[str, str]
    """All of it: nothing is inherited."""
    log_file: Path
    port: int
    readiness: Readiness
    account: Account | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    """Sent to stop it in order; on Linux the kernel also sends it when the process that started it dies."""


Prepare = Callable[[], ProcessPlan]
"""Makes a process startable (also after a crash) and says how. May take seconds and may be called again."""
