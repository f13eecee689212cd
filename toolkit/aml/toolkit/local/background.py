"""A process that goes on after the one that started it, belonging to nobody who would have to wait for it."""

import contextlib
import os
import sys
from collections.abc import Callable, Mapping

import structlog

from aml.runtime.settings import LogSettings
from aml.runtime.telemetry import configure_logging

from .assembly import Assembly
from .errors import LocalStackError
from .home import Layout
from .spawning import rotate_log
from .supervise import supervise


def supervise_in_background(layout: Layout, assemble: Callable[[], Assembly], environ: Mapping[str, str]) -> int:
    """An exit code, in two processes: the caller's, which has printed the supervisor's id, and later the supervisor's."""
    if (supervisor := os.fork()) != 0:  # no thread exists yet
        sys.stdout.write(f"{supervisor}\n")
        return 0
    os.setsid()
    _redirect(layout)
    configure_logging(LogSettings(), "supervisor")
    try:
        supervise(layout, assemble, _report, environ)
    except LocalStackError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


def _report(event: str, **fields: object) -> None:
    with contextlib.suppress(OSError):  # a full disk must not end the supervisor
        structlog.get_logger().info(event, **fields)


def _redirect(layout: Layout) -> None:
    log = layout.log_file("supervisor")
    rotate_log(log)
    nothing = os.open(os.devnull, os.O_RDONLY)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(nothing, 0)
    os.dup2(file, 1)
    os.dup2(file, 2)
