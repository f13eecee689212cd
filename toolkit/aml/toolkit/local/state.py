"""`run/state.json`: what runs in a home, for `aml status`, for `aml down`, and for the next start after a crash."""

from pathlib import Path
from typing import Literal

import psutil
from msgspec import Struct

from .home import Layout, encode_record, read_record, write_private
from .process_plan import Readiness

CLOCK_TOLERANCE_S = 2.0
"""A process's start time is boot time plus ticks, and boot time moves when the clock is set."""

Phase = Literal["starting", "ready", "failed", "stopping"]


class Identity(Struct, frozen=True, kw_only=True):
    """A process id alone may come to name a stranger; with its start time (Unix seconds) it cannot."""

    pid: int
    started: float


class Addresses(Struct, frozen=True, kw_only=True):
    """Where the broker and the database are, launched here or given."""

    nats_url: str
    nats_token_file: Path | None
    database_url: str
    database_password_file: Path | None


class ProcessState(Struct, frozen=True, kw_only=True):
    port: int | None = None
    readiness: Readiness | None = None
    identity: Identity | None = None
    """None while it is not running."""
    state: Literal["starting", "ready", "restarting", "stopped"] = "starting"
    restarts: int = 0
    last_exit: str | None = None


class Failure(Struct, frozen=True, kw_only=True):
    process: str
    problem: str
    log_tail: tuple[str, ...] = ()


class StackState(Struct, frozen=True, kw_only=True):
    home: Path
    phase: Phase
    supervisor: Identity
    started_at_ms: int
    ready_at_ms: int | None = None
    portal: str | None = None
    addresses: Addresses | None = None
    processes: dict[str, ProcessState] = {}
    failure: Failure | None = None


def write_state(layout: Layout, state: StackState) -> None:
    write_private(layout.state_file, encode_record(state), durable=False)


def read_state(layout: Layout) -> StackState | None:
    """What was last recorded, whether or not it still runs; None when nothing readable is there."""
    return read_record(layout.state_file, StackState)


def read_live_state(layout: Layout) -> StackState | None:
    """The same, but only while the supervisor that wrote it lives."""
    state = read_state(layout)
    return state if state is not None and is_alive(state.supervisor) else None


def identify(pid: int) -> Identity | None:
    try:
        return Identity(pid=pid, started=psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None


def is_alive(identity: Identity) -> bool:
    """True for that very process; a zombie counts as dead."""
    try:
        process = psutil.Process(identity.pid)
        same = abs(process.create_time() - identity.started) <= CLOCK_TOLERANCE_S
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
