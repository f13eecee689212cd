"""The first bytes of a request, which are the same for every call to one URL. Pure."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from yarl import URL

from .origin import Origin


class RequestHead(Struct, frozen=True):
    origin: Origin
    data: bytes
    """Up to where the body's length, or the empty line, follows."""

    def with_body(self, body: bytes) -> tuple[bytes, bytes]:
        """Head and body."""
        return b"%bContent-Length: %d\r\n\r\n" % (self.data, len(body)), body

    def without_body(self) -> tuple[bytes, bytes]:
        return self.data + b"\r\n", b""


def request_head(method: Literal["GET", "POST"], url: URL, headers: Mapping[str, str]) -> RequestHead:
    """Raises `ValueError` where a value could end its line; URL and key were checked where they came in."""
    lines = [f"{method} {url.raw_path_qs} HTTP/1.1", f"Host: {url.host_port_subcomponent}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if any(char < " " or char == "\x7f" for line in lines for char in line):
        raise ValueError("a request's head has a control character")
    host, port = url.raw_host, url.port
    assert host is not None
    assert port is not None
    return RequestHead(Origin(url.scheme, host, port), "".join(f"{line}\r\n" for line in lines).encode())
