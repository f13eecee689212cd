"""The style and the script that stand in the file, and the policy that allows these two and nothing else."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from msgspec import Struct

_STATIC = Path(__file__).parent / "static"


class PageParts(Struct, frozen=True, kw_only=True):
    style: str
    script: str
    policy: str
    """Content Security Policy: whatever an answer smuggles in, the browser runs and fetches nothing else."""


@cache
def page_parts(lines: int) -> PageParts:
    """`lines` is how many series the charts have: each has a rule that hides it where its box is not checked."""
    hiding = "".join(
        f".overlay:has(.show-{place}:not(:checked)) .line-{place}{{display:none}}\n" for place in range(lines)
    )
    style = f"\n{(_STATIC / 'report.css').read_text('utf-8')}{hiding}"
    script = f"\n{(_STATIC / 'report.js').read_text('utf-8')}"
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return PageParts(style=style, script=script, policy=policy)


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
