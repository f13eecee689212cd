"""Runs one home's stack in this process until it is told to stop."""

import asyncio
from collections.abc import Callable, Mapping

from .assembly import Assembly
from .charge import Reporter
from .home import Layout, hold_home
from .nursery import open_nursery
from .orphans import stop_orphans
from .services import base_environment
from .state import read_state
from .state_board import StateBoard
from .supervisor import Supervisor, stop_on_signals


def supervise(layout: Layout, assemble: Callable[[], Assembly], report: Reporter, environ: Mapping[str, str]) -> None:
    """Returns after an orderly stop. Raises `HomeBusy`, `StartFailed`, and what `assemble` raises.

    `assemble` is called with the home held and cleared: only then is it known which ports are free.
    """
    with hold_home(layout), open_nursery(base_environment(layout, environ), layout.log_file("nursery")) as start:
        clear_remains(layout, report)
        assembly = assemble()
        board = StateBoard(layout, assembly.portal, assembly.addresses)
        asyncio.run(_supervise(Supervisor(assembly.stages, board, report, start=start)))


def clear_remains(layout: Layout, report: Reporter) -> None:
    """Ends what the last supervisor left when it was killed. Only for the one who holds the home."""
    recorded = read_state(layout)
    if recorded is not None and (ended := stop_orphans(recorded)):
        report("stack.orphans_ended", processes=ended)


async def _supervise(supervisor: Supervisor) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop)
    await supervisor.run(stop)
