"""`--system`: one of the examples, or a system that is reached at a base URL."""

from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from .errors import WrongUsage

EXAMPLES: Final = {
    "fts5": "aml.examples.fts5",
    "bm25s": "aml.examples.bm25s_memory",
    "nothing": "aml.examples.nothing",
}
"""Name to module; each starts with `python -m`."""

_PREFIX = "example:"


class Endpoints(Struct, frozen=True, kw_only=True):
    add_url: str
    search_url: str
    health_url: str


class ExampleSystem(Struct, frozen=True, kw_only=True):
    name: str

    @property
    def label(self) -> str:
        return f"{_PREFIX}{self.name}"


class HostedSystem(Struct, frozen=True, kw_only=True):
    endpoints: Endpoints

    @property
    def label(self) -> str:
        """Host and port, with the path in front of Add where there is one."""
        address = urlsplit(self.endpoints.add_url)
        return (address.netloc + address.path.removesuffix("/add")).rstrip("/")


SystemChoice = ExampleSystem | HostedSystem


def choose_system(
    text: str, *, add_url: str | None = None, search_url: str | None = None, health_url: str | None = None
) -> SystemChoice:
    """Raises `WrongUsage`."""
    given = {"--add-url": add_url, "--search-url": search_url, "--health-url": health_url}
    if text.startswith(_PREFIX):
        return _example(text.removeprefix(_PREFIX), [option for option, url in given.items() if url is not None])
    base = _web_address("--system", text).rstrip("/")
    for option, url in given.items():
        if url is not None:
            _web_address(option, url)
    return HostedSystem(
        endpoints=Endpoints(
            add_url=add_url or f"{base}/add",
            search_url=search_url or f"{base}/search",
            health_url=health_url or f"{base}/health",
        )
    )


def endpoints_at(base_url: str) -> Endpoints:
    base = base_url.rstrip("/")
    return Endpoints(add_url=f"{base}/add", search_url=f"{base}/search", health_url=f"{base}/health")


def _example(name: str, surplus: list[str]) -> ExampleSystem:
    if name not in EXAMPLES:
        raise WrongUsage("--system", f"there is no example {name!r}; known are {_listed(EXAMPLES)}")
    if surplus:
        raise WrongUsage(surplus[0], f"goes with a base URL; {_PREFIX}{name} has its own addresses")
    return ExampleSystem(name=name)


def _web_address(option: str, text: str) -> str:
    try:
        address = urlsplit(text)
        port = address.port
    except ValueError as error:
        raise WrongUsage(option, f"{text!r} is no URL ({error}); write it as http://HOST:PORT") from None
    if address.scheme not in ("http", "https") or not address.hostname:
        raise WrongUsage(
            option,
            f"{text!r} is no http:// or https:// URL; write it as http://HOST:PORT, or one of {_listed(EXAMPLES)}",
        )
    if port == 0:
        raise WrongUsage(option, f"{text!r} has port 0, where nothing listens; name the system's port")
    if address.username is not None or address.password is not None:
        raise WrongUsage(option, "holds a user name or password; take it out and use --auth")
    if address.query or address.fragment:
        raise WrongUsage(option, f"{text!r} has a query or a fragment; leave that out")
    return text


def _listed(names: dict[str, str]) -> str:
    return ", ".join(f"{_PREFIX}{name}" for name in names)
