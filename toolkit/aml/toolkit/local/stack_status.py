"""What `aml status` reports: the supervisor's record, and each process asked just now."""

import asyncio
from pathlib import Path

from msgspec import Struct

from .home import Layout
from .probes import Health, probe
from .state import ProcessState, StackState, is_alive, read_live_state


class ProcessStatus(Struct, frozen=True, kw_only=True):
    port: int | None
    pid: int | None
    ready: bool
    health: str
    """`ready`, or what is wrong."""
    state: str
    restarts: int
    last_exit: str | None
    log: Path


class StackStatus(Struct, frozen=True, kw_only=True):
    running: bool
    ready: bool
    phase: str
    home: Path
    portal: str | None
    """The gateway's base URL."""
    board: Path
    operator_key_file: Path
    nats_url: str | None
    database_url: str | None
    supervisor_pid: int | None
    processes: dict[str, ProcessStatus]


def look(layout: Layout) -> StackStatus:
    return asyncio.run(_look(layout))


async def _look(layout: Layout) -> StackStatus:
    state = read_live_state(layout)
    if state is None:
        return _status(layout, None, {})
    names = list(state.processes)
    found = await asyncio.gather(*(_ask(layout, name, state.processes[name]) for name in names))
    return _status(layout, state, dict(zip(names, found, strict=True)))


async def _ask(layout: Layout, name: str, process: ProcessState) -> ProcessStatus:
    if process.identity is None or process.readiness is None or not is_alive(process.identity):
        health = Health(ready=False, detail=process.last_exit or "not running")
    else:
        health = await probe(process.readiness, process.identity.pid)
    return ProcessStatus(
        port=process.port,
        pid=process.identity.pid if process.identity else None,
        ready=health.ready,
        health=health.detail,
        state=process.state,
        restarts=process.restarts,
        last_exit=process.last_exit,
        log=layout.log_file(name),
    )


def _status(layout: Layout, state: StackState | None, processes: dict[str, ProcessStatus]) -> StackStatus:
    addresses = state.addresses if state else None
    return StackStatus(
        running=state is not None,
        ready=state is not None and state.phase == "ready" and all(process.ready for process in processes.values()),
        phase=state.phase if state else "down",
        home=layout.home,
        portal=state.portal if state else None,
        board=layout.board,
        operator_key_file=layout.operator_key_file,
        nats_url=addresses.nats_url if addresses else None,
        database_url=addresses.database_url if addresses else None,
        supervisor_pid=state.supervisor.pid if state else None,
        processes=processes,
    )
