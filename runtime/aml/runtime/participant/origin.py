"""Whom a URL's requests go to."""

from typing import NamedTuple


class Origin(NamedTuple):
    scheme: str
    host: str
    """Without the brackets of an IPv6 address."""
    port: int
