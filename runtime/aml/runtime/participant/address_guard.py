"""Which addresses the platform may call, judged without I/O: the URL as written, and an IP address.

Not `ipaddress.is_global`: it is True for several IPv6 forms that carry a private IPv4 address. IPv6 is public only inside
2000::/3 and outside of the special blocks; every form that embeds an IPv4 address is refused whole, whatever it embeds.
Sources: IANA special-purpose registries (IPv4, IPv6), RFC 6890, RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo).
"""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from msgspec import Struct

from .errors import AddressRefused

Address = IPv4Address | IPv6Address

_CLOSED_V4: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "168.63.129.16/32",  # one cloud's host agent: a public number that answers only inside
    )
)  # fmt: skip
_OPEN_V6: Final = IPv6Network("2000::/3")
_CLOSED_V6: Final = tuple(
    IPv6Network(block)
    for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)  # fmt: skip

_URL: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^#]*)(#.*)?", re.DOTALL)
_LABEL: Final = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
_NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_LOCAL_NAMES: Final = ("localhost", "local", "internal", "home.arpa", "localdomain")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class Target(Struct, frozen=True, kw_only=True):
    """A URL that may be asked for. `address` is set where the host is written as an IP address."""

    url: str
    scheme: str
    host: str
    port: int
    address: Address | None


def is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _CLOSED_V4)
    if address.scope_id is not None or address not in _OPEN_V6:
        return False
    return not any(address in block for block in _CLOSED_V6)


def check_address(text: str, *, host: str, allow_private: bool) -> None:
    """Of a resolved or connected address. Raises `AddressRefused`."""
    try:
        address = ip_address(text)
    except ValueError:
        raise AddressRefused(f"{host} leads to something that is no IP address") from None
    if not (allow_private or is_public(address)):
        raise AddressRefused(
            f"{host} leads to {address}, which is not a public address",
            advice="publish the server on a public address, or pass --allow-private for local development",
        )


def check_url(
    url: str, *, schemes: Collection[str], allow_private: bool, ports: Collection[int] | None = None
) -> Target:
    """Raises `AddressRefused`. A name is judged by what it resolves to, later; an address is judged here."""
    found = _URL.fullmatch(url)
    if not url.isascii() or any(char <= " " or char == "\x7f" for char in url) or "\\" in url:
        raise AddressRefused(
            "the URL has white space, a control character, a backslash or a character outside of ASCII",
            advice="write international names in their xn-- form and percent-encode the path",
        )
    if found is None:
        raise AddressRefused("the URL is not of the form scheme://host/path")
    scheme, authority, rest, fragment = found[1].lower(), found[2], found[3], found[4]
    if scheme not in schemes:
        raise AddressRefused(f"the scheme {scheme} is not allowed here", advice=f"use {' or '.join(sorted(schemes))}")
    if "@" in authority:
        raise AddressRefused(
            "the URL contains credentials or an @ before the path", advice="pass the key as the key, not in the URL"
        )
    if fragment is not None:
        raise AddressRefused("the URL has a #fragment, which is never sent")
    host, port = _host_and_port(authority, _DEFAULT_PORTS.get(scheme, 0))
    if ports is not None and port not in ports:
        raise AddressRefused(f"port {port} is not allowed here", advice=f"use one of {sorted(ports)}")
    address = _literal(host)
    if address is None:
        _check_name(host, allow_private=allow_private)
    else:
        check_address(str(address), host="the URL", allow_private=allow_private)
    return Target(
        url=f"{scheme}://{authority.lower()}{rest or '/'}", scheme=scheme, host=host, port=port, address=address
    )


def _host_and_port(authority: str, default_port: int) -> tuple[str, int]:
    found = re.fullmatch(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{1,5}))?", authority)
    if found is None or not found[1]:
        raise AddressRefused("the URL has no host, or its port is not a number")
    port = int(found[2]) if found[2] else default_port
    if not 0 < port < 65536:
        raise AddressRefused(f"port {port} does not exist")
    return found[1].lower(), port


def _literal(host: str) -> Address | None:
    """The address that `host` spells; None for a name. One spelling of an address is allowed, the usual one."""
    if host.startswith("["):
        if "%" in host:
            raise AddressRefused("the URL has an IPv6 zone id, which means something on one machine only")
        try:
            return IPv6Address(host[1:-1])
        except ValueError:
            raise AddressRefused("the URL's IPv6 address is malformed") from None
    # What WHATWG URL and inet_aton read as an IPv4 address: decimal, octal, hexadecimal and shortened forms.
    if not _NUMERIC_LABEL.fullmatch(host.rstrip(".").rpartition(".")[2]):
        return None
    try:
        address = IPv4Address(host)
    except ValueError:
        raise AddressRefused(
            "the URL's host is a number in an ambiguous form", advice="write four decimal numbers, as 203.0.113.7"
        ) from None
    return address


def _check_name(host: str, *, allow_private: bool) -> None:
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise AddressRefused("the URL's host is not a valid name")
    if not allow_private and any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES):
        raise AddressRefused(f"{host} is a name for local use")
