"""Free ports on 127.0.0.1, the same ones at every start while nobody else has taken them."""

import errno
import random
import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from .errors import LocalStackError
from .home import write_private

HOST = "127.0.0.1"
RANGE = range(20_000, 32_000)
"""Below the ports that systems give to outgoing connections: a client must not sit on a port while its process restarts."""


class NoFreePort(LocalStackError):
    def __init__(self, name: str) -> None:
        super().__init__(f"no free port on {HOST} between {RANGE.start} and {RANGE.stop - 1} for {name}")
        self.name = name


def claim_ports(names: Sequence[str], ports_file: Path, choice: random.Random) -> dict[str, int]:
    """A port for each name: the one in `ports_file` where it is still free. Raises `NoFreePort`."""
    ports = choose_ports(names, _remembered(ports_file), choice)
    write_private(ports_file, msgspec.json.encode(ports).decode())
    return ports


def choose_ports(names: Sequence[str], remembered: Mapping[str, int], choice: random.Random) -> dict[str, int]:
    chosen: dict[str, int] = {}
    with ExitStack() as held:  # all stay bound until the last is found, so that no port is given twice
        for name in names:
            candidates = [remembered[name]] if name in remembered else []
            candidates += choice.sample(RANGE, 200)
            for port in candidates:
                if (listener := _listen(port)) is not None:
                    held.enter_context(listener)
                    chosen[name] = port
                    break
            else:
                raise NoFreePort(name)
    return chosen


def is_free(port: int) -> bool:
    if (listener := _listen(port)) is None:
        return False
    listener.close()
    return True


def _listen(port: int) -> socket.socket | None:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # As servers do it: connections of the last run that linger in TIME_WAIT do not make a port taken.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(1)
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            return None
        raise
    return listener


def _remembered(ports_file: Path) -> dict[str, int]:
    try:
        return msgspec.json.decode(ports_file.read_bytes(), type=dict[str, int])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}
