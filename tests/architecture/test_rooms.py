"""Which rooms there are and what may lie in them."""

import ast
from pathlib import Path

import pytest
from tests.architecture.source_tree import SOURCE_ROOTS, shown, source_files

MAX_LINES = 300
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "service", "runner", "misc", "base"}
DATA = {"benchmarks/practice": "persona texts of the synthetic suite"}
"""Folders of data written as Python, which may be long."""

SERVED = {"static"}
"""Folders of files that are handed out as they are and never imported."""


@pytest.mark.parametrize("root", SOURCE_ROOTS, ids=lambda root: root.name)
def test_aml_is_a_namespace_that_every_root_adds_to(root: Path) -> None:
    assert (root / "aml").is_dir()
    assert not (root / "aml" / "__init__.py").exists(), (
        "a PEP 420 namespace has no __init__.py; it would hide the other roots"
    )


@pytest.mark.parametrize("root", SOURCE_ROOTS, ids=lambda root: root.name)
def test_every_package_is_marked_as_one(root: Path) -> None:
    folders = {path.parent for path in (root / "aml").rglob("*.py") if path.parent.name not in SERVED}
    assert folders
    for folder in folders:
        assert (folder / "__init__.py").exists(), f"{shown(folder)} lacks an __init__.py"


def test_no_module_has_a_name_that_attracts_everything() -> None:
    vague = [shown(path) for path in source_files() if VAGUE.intersection((path.stem, path.parent.name))]
    assert vague == []


def test_no_module_is_long() -> None:
    lengths = {shown(path): len(path.read_text("utf-8").splitlines()) for path in source_files()}
    long = {
        name: lines for name, lines in lengths.items() if lines > MAX_LINES and not any(part in name for part in DATA)
    }
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        shown(path)
        for path in source_files()
        if (text := path.read_text("utf-8").strip()) and ast.get_docstring(ast.parse(text)) is None
    ]
    assert silent == []
