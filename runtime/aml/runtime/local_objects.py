"""Objects in a folder of this machine, written and read in place.

obstore hands each call to its own threads: 0.3 ms of CPU a small write and 0.1 ms a read, where the calls themselves take
0.04 and 0.01 (the page cache; medians on 2 busy cores). Three writes and a read a question were a third of the judge's and
the retrieval's time. A bucket still goes through obstore, and so does everything that is seldom.
"""

import itertools
import os
from pathlib import Path

_turn = itertools.count(1)


def write_object(folder: Path, path: str, data: bytes) -> None:
    """Whole or not at all, in the place of what was there. Raises `OSError`.

    What a killed process leaves behind ends in `#` and digits, which obstore's listing knows as unfinished.
    """
    target = f"{folder}/{path}"
    unfinished = f"{target}#{os.getpid()}{next(_turn)}"
    try:
        _write_new(unfinished, data)
    except FileNotFoundError:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        _write_new(unfinished, data)
    try:
        os.replace(unfinished, target)  # noqa: PTH105  a Path costs more than the call
    except OSError:
        Path(unfinished).unlink(missing_ok=True)
        raise


def read_object(folder: Path, path: str) -> bytes:
    """Raises `FileNotFoundError` or another `OSError`."""
    with open(f"{folder}/{path}", "rb", buffering=0) as file:  # noqa: PTH123
        return file.read()


def _write_new(name: str, data: bytes) -> None:
    descriptor = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
