"""The policy names exactly the style and the script that stand in the page."""

import base64
import hashlib
import re

from aml.toolkit.report.page_parts import page_parts


def test_the_policy_has_the_hashes_of_what_is_inline() -> None:
    parts = page_parts(3)

    for kind, content in (("style-src", parts.style), ("script-src", parts.script)):
        expected = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{kind} 'sha256-{expected}';" in parts.policy


def test_nothing_else_may_run_or_be_fetched() -> None:
    policy = page_parts(1).policy

    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_every_series_can_be_hidden() -> None:
    rules = re.findall(r"\.show-(\d+):not\(:checked\)\) \.line-(\d+)\{", page_parts(7).style)
    assert rules == [(str(place), str(place)) for place in range(7)]


def test_style_and_script_cannot_end_their_element_early() -> None:
    parts = page_parts(1)
    assert "</" not in parts.style + parts.script
