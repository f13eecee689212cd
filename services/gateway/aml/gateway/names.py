"""Ids: made here as subject tokens, and recognised before they reach the database."""

import re
import secrets

from .errors import Unknown

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,80}")


def new_id(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(8)}"


def known(what: str, name: str) -> str:
    """`name`, if it can be one of ours. Raises `Unknown`."""
    if not _TOKEN.fullmatch(name):
        raise Unknown(what, name)
    return name
