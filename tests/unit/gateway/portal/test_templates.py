"""No template has words of its own, and none needs an inline script or style."""

import re
from pathlib import Path

import pytest

import aml.gateway.portal.portal as portal_module

TEMPLATES = Path(portal_module.__file__).parent / "templates"
_JINJA = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
_TAG = re.compile(r"<[^>]*>", re.DOTALL)


def template_files() -> list[Path]:
    return sorted(TEMPLATES.glob("*.html"))


@pytest.mark.parametrize("path", template_files(), ids=lambda path: path.name)
def test_there_is_no_bare_text(path: Path) -> None:
    left = _TAG.sub(" ", _JINJA.sub(" ", path.read_text("utf-8")))
    assert re.findall(r"[^\W\d_]{2,}", left) == []


@pytest.mark.parametrize("path", template_files(), ids=lambda path: path.name)
def test_nothing_is_inline(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert "| safe" not in text
