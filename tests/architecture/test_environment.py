"""The environment is read once, where a process starts."""

import ast
from pathlib import Path

import pytest
from tests.architecture.source_tree import shown, source_files

READS = {"environ", "environb", "getenv", "getenvb"}


def reads_environment(tree: ast.AST) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and node.attr in READS and getattr(node.value, "id", None) == "os")
        or (isinstance(node, ast.ImportFrom) and node.module == "os" and READS.intersection(a.name for a in node.names))
        for node in ast.walk(tree)
    )


def starts_a_process(path: Path) -> bool:
    started_by_pytest = path.parts[-2:] == ("pytest_plugin", "plugin.py")
    return path.name == "__main__.py" or "cli" in path.parts or started_by_pytest


def test_only_entry_points_read_the_environment() -> None:
    readers = [path for path in source_files() if reads_environment(ast.parse(path.read_text("utf-8")))]
    assert [shown(path) for path in readers if not starts_a_process(path)] == []
    assert readers, "some entry point reads it"


@pytest.mark.parametrize(
    "source", ["import os\nos.environ['A']", "from os import environ", "import os\nos.getenv('A')"]
)
def test_a_read_is_seen(source: str) -> None:
    assert reads_environment(ast.parse(source))
