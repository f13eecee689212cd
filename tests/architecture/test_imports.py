"""Who may know whom: the import contracts of pyproject.toml hold, and the graph they are read from is the real one."""

import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest
from tests.architecture.source_tree import ROOT

PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["root_packages"]


def test_the_import_contracts_hold() -> None:
    command = [
        str(Path(sys.executable).parent / "lint-imports"),
        "--no-cache",
        "--config",
        str(ROOT / "pyproject.toml"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def test_every_source_root_is_in_the_graph(graph: grimp.ImportGraph) -> None:
    assert set(PACKAGES) <= graph.modules
    assert len(PACKAGES) == len(set(PACKAGES)) == 11


def test_the_graph_sees_imports_across_roots(graph: grimp.ImportGraph) -> None:
    """Else the contracts would hold of an empty graph."""
    assert graph.direct_import_exists(importer="aml.runtime.bus", imported="aml.rules.identity")
    assert graph.direct_import_exists(importer="aml.rules.identity", imported="aml.contracts.events")
    assert graph.direct_import_exists(importer="aml.ingest.bootstrap", imported="aml.runtime.bus")
