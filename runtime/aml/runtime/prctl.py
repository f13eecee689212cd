"""What a Linux process can say about itself: who is to take its orphans, whose death ends it, and which name `ps` shows."""

import ctypes
import signal
import sys
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)  # at import: between a fork and an exec nothing may be loaded any more

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36

_ARGUMENTS_BEGIN, _ARGUMENTS_END = 45, 46
"""Fields 48 and 49 of `/proc/PID/stat` (proc(5)), counted from the one after the name."""


def is_linux() -> bool:
    return sys.platform.startswith("linux")


def set_death_signal(number: signal.Signals) -> None:
    """Sent to this process when its parent dies. The kernel forgets it when the process changes its rights."""
    _prctl(PR_SET_PDEATHSIG, int(number))


def take_orphans(wanted: bool) -> None:
    """While wanted, a descendant whose parent ends becomes this process's child, which then has to wait for it."""
    _prctl(PR_SET_CHILD_SUBREAPER, int(wanted))


def show_as(module: str, *, instead_of: str) -> None:
    """The command line and the name of this process say `module`, where they said the longer `instead_of`.

    It is overwritten in place, as setproctitle does: a forked process shows its parent's command line otherwise.
    """
    _prctl(PR_SET_NAME, ctypes.create_string_buffer(module.replace(".", "-").encode()[:15]))
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[_ARGUMENTS_BEGIN]), int(fields[_ARGUMENTS_END])
    place = ctypes.string_at(begin, end - begin).find(instead_of.encode())
    if place >= 0 and len(module) <= len(instead_of):
        ctypes.memmove(begin + place, module.encode().ljust(len(instead_of), b"\0"), len(instead_of))


def _prctl(option: int, argument: int | ctypes.Array[ctypes.c_char]) -> None:
    if _libc.prctl(option, argument, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")
