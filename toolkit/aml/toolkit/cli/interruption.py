"""SIGTERM, as a build server or `timeout` sends it, ends a command as Ctrl-C does: with everything put away."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """In the main thread only, where Python handles signals."""
    before = signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
