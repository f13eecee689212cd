"""Has imported what the services share, and forks one for each request.

Six interpreters that import the same 800 modules took most of a local start. A forked one begins with them.
What is forked here is handed to the process that started the nursery: that one becomes the parent, so that it waits for
the service, and so that the nursery's end harms none. Linux only; anywhere else services are started by their commands.

Nothing here opens a connection, starts a thread or reads a secret: whatever the nursery held, each service would hold.
"""

import gc
import importlib
import os
import signal
import socket
import sys
import time

import msgspec
from msgspec import Struct

from aml.runtime.prctl import set_death_signal, show_as

NAME = "aml.runtime.nursery"
SHARED = (
    *("aml.runtime.bus", "aml.runtime.serve", "aml.runtime.telemetry", "aml.runtime.lane", "aml.runtime.open_jobs"),
    *("aml.runtime.evidence", "aml.runtime.releases", "aml.runtime.sample_packs"),
)
"""Needed by four services or more. What one alone needs it imports itself, beside the others."""

REQUEST_LIMIT_BYTES = 262_144
ADOPTION_TIMEOUT_S = 5.0


class Birth(Struct, frozen=True, kw_only=True):
    """One service to fork. Its log comes with the request, as an open file."""

    module: str
    """Run as `python -m` would."""
    environment: dict[str, str]
    """All of it."""
    death_signal: int
    """Sent by the kernel when the parent dies."""


def wait_for_births(requests: int) -> Birth:
    """Returns in the processes that were forked. Exits in the nursery, when nobody can ask any more.

    `requests` is the descriptor of a `SOCK_SEQPACKET` socket: a request and a log come in, the new process's id goes out.
    """
    asked = socket.socket(fileno=os.dup(requests))
    parent = os.getppid()
    for name in SHARED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # pages that no collection writes to stay shared
    while True:
        message, files, _, _ = socket.recv_fds(asked, REQUEST_LIMIT_BYTES, 1)
        if not message:
            sys.exit(0)
        [log] = files
        if _fork_away():
            birth = msgspec.json.decode(message, type=Birth)
            _leave_home(birth, log, parent)
            asked.send(str(os.getpid()).encode())
            asked.close()
            return birth
        os.close(log)


def _fork_away() -> bool:
    """True in a grandchild. Its parent ends at once, which makes it an orphan for the nursery's parent to take."""
    if (between := os.fork()) != 0:
        os.waitpid(between, 0)
        return False
    if os.fork() != 0:
        os._exit(0)
    return True


def _leave_home(birth: Birth, log: int, parent: int) -> None:
    os.setsid()
    deadline = time.monotonic() + ADOPTION_TIMEOUT_S
    while os.getppid() != parent:
        if time.monotonic() > deadline:
            os._exit(1)
        time.sleep(0.0005)
    set_death_signal(signal.Signals(birth.death_signal))
    if os.getppid() != parent:  # it died before the request was made
        os._exit(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.close(nothing)
    os.close(log)
    show_as(birth.module, instead_of=NAME)
