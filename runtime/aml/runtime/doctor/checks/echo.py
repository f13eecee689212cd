"""The three ids come back byte for byte."""

from typing import Final

from aml.runtime.doctor.check import Check, Finding, passed
from aml.runtime.doctor.visit import Visit

_TAILS: Final = (
    "MixedCase-Chunk",
    "caf\u0065\u0301-decomposed",
    "caf\u00e9-composed",
    "狐-🦊-ß-İ",
    "a/b?c=d&e#f%20g+h",
    " edge spaces ",
    "00012.50",
    "n" * 150,
)


async def _echo(visit: Visit) -> Finding:
    for number, tail in enumerate(_TAILS):
        user = visit.user(f"echo:{tail}")
        await visit.add(
            user, visit.told("echo", number).text, request_id=f"{user}:chunk-0", session_id=f"{user}:Session"
        )
    return passed(f"{3 * len(_TAILS)} ids of every kind came back as they were sent")


ECHO: Final = Check(
    name="echo",
    title="Ids come back byte for byte",
    why="an id that comes back changed cannot be told from another one's, so a run stops there",
    mend="return the strings of the request: no change of case, no trimming, no Unicode normalisation, no URL decoding",
    run=_echo,
    needs=("add",),
)
