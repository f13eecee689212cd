"""The modules fit together: imports are exported, texts are in the catalogue, ids are on the page."""

import re
from pathlib import Path

import pytest

import aml.gateway.portal.portal as portal_module
from aml.gateway.portal.catalogue import catalogue
from aml.gateway.portal.module_graph import modules_of
from aml.gateway.portal.portal import Portal
from aml.gateway.portal.sitemap import PAGES

STATIC = Path(portal_module.__file__).parent / "static"
_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./(\w+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)
_TEXT = re.compile(r'\bt\((?:[^"()]*\? )?"([a-z][\w.]*)"(?: : "([a-z][\w.]*)")?')
_WORD = re.compile(r'\bword\("([a-z][\w.]*)"')
_ID = re.compile(r'\bbyId\("([\w-]+)"\)')


def script_files() -> list[Path]:
    return sorted(STATIC.glob("*.js"))


@pytest.mark.parametrize("path", script_files(), ids=lambda path: path.name)
def test_what_is_imported_is_exported_and_used(path: Path) -> None:
    text = path.read_text("utf-8")
    for names, source in _IMPORT.findall(text):
        exported = set(_EXPORT.findall((STATIC / source).read_text("utf-8")))
        for name in (each.strip() for each in names.split(",")):
            assert name in exported, f"{source} has no {name}"
            assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{name} is not used"
    assert len(re.findall(r"^import ", text, re.MULTILINE)) == len(_IMPORT.findall(text))


@pytest.mark.parametrize("path", script_files(), ids=lambda path: path.name)
def test_what_is_said_is_in_the_catalogue(path: Path) -> None:
    texts = path.read_text("utf-8")
    for pair in _TEXT.findall(texts):
        for key in filter(None, pair):
            assert isinstance(catalogue("en").part(f"scripts.{key}"), str), key
    for group in _WORD.findall(texts):
        assert isinstance(catalogue("en").part(f"scripts.{group}"), dict), group


@pytest.mark.parametrize("path", script_files(), ids=lambda path: path.name)
def test_nothing_is_read_as_html_or_code(path: Path) -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://|localStorage\.setItem\((?!\"aml-theme\")"
    assert re.findall(forbidden, path.read_text("utf-8")) == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.script], ids=lambda page: page.name)
def test_what_is_looked_for_is_on_the_page(portal: Portal, page: object) -> None:
    rendered = portal.page(page.path)  # type: ignore[attr-defined]
    assert rendered is not None
    there = set(re.findall(r'\bid="([\w-]+)"', rendered.body.decode()))
    own = [name for name in modules_of(page.script) if name != "job_results.js"]  # type: ignore[attr-defined]
    wanted = {name for module in own for name in _ID.findall((STATIC / module).read_text("utf-8"))}
    assert wanted - there == set()
