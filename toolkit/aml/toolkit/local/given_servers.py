"""The user's own broker and database, tried once before anything is started."""

import socket
from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

from .errors import LocalStackError
from .settings import StackSettings

CONNECT_SECONDS = 3.0

Connect = Callable[[str, int], None]
"""Raises `OSError`."""


class GivenServerUnusable(LocalStackError):
    def __init__(self, variable: str, problem: str) -> None:
        super().__init__(f"{variable} {problem}; correct it, or unset it and have one started here")
        self.variable = variable
        self.problem = problem


def connect_once(host: str, port: int) -> None:
    socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()


def check_given(settings: StackSettings, connect: Connect = connect_once) -> None:
    """Raises `GivenServerUnusable`. Whether the server likes the credentials is the services' to find out."""
    if settings.nats.url is not None:
        _check("AML_NATS_URL", settings.nats.url, ("nats", "tls"), 4222, connect)
    if settings.database.url is not None:
        _check("AML_DATABASE_URL", settings.database.url, ("postgresql", "postgres"), 5432, connect)


def _check(variable: str, url: str, schemes: tuple[str, ...], usual_port: int, connect: Connect) -> None:
    form = f"{schemes[0]}://HOST:PORT" + ("/NAME" if usual_port == 5432 else "")
    parts = _split(url)
    if parts is None or parts.scheme not in schemes:
        raise GivenServerUnusable(variable, f"is not of the form {form}")
    if not parts.hostname:  # libpq's other ways: a socket's folder, or the host in the query
        return
    try:
        connect(parts.hostname, parts.port or usual_port)
    except OSError as error:
        where = f"{parts.hostname}:{parts.port or usual_port}"
        raise GivenServerUnusable(variable, f"names {where}, which cannot be reached ({_reason(error)})") from None


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  read for its error
    except ValueError:
        return None
    return parts


def _reason(error: OSError) -> str:
    return "no answer" if isinstance(error, TimeoutError) else error.strerror or type(error).__name__
