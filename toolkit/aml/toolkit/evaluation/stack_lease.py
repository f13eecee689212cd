"""The local stack for as long as somebody needs it: started if none runs, stopped by the last who used it.

Each user holds a shared lock on `run/lease`. A stack that a command started for itself is marked by `run/leased`; one that
`aml up` started is not, and nobody stops it here.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from aml.toolkit.local import LocalStack, StackInfo
from aml.toolkit.local.home import make_home
from aml.toolkit.local.state import read_live_state


class StackLease:
    def __init__(self, stack: LocalStack, lock: IO[str], info: StackInfo) -> None:
        self.info = info
        self._lock = lock
        self._mark = stack.layout.home / "run" / "leased"

    @property
    def stays(self) -> bool:
        """It goes on running when this lease ends."""
        return not self._mark.exists() or self._is_shared()

    def _is_shared(self) -> bool:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._lock, fcntl.LOCK_SH)
        return False


@contextmanager
def lease_stack(stack: LocalStack, *, keep: bool) -> Iterator[StackLease]:
    """Raises `LocalStackError`. An interrupted start leaves nothing behind."""
    run = make_home(stack.layout.home).lock_file.parent
    mark = run / "leased"
    with (run / "lease").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        ran_before = read_live_state(stack.layout) is not None
        try:
            info = stack.ensure_running()
        except KeyboardInterrupt:
            if not ran_before:
                stack.stop()
            raise
        if info.started:
            mark.touch()
        if keep:
            mark.unlink(missing_ok=True)
        lease = StackLease(stack, lock, info)
        try:
            yield lease
        finally:
            if not lease.stays:
                mark.unlink(missing_ok=True)
                stack.stop()
