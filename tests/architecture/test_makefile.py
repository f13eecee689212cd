"""One command for each need, and CI runs the same one."""

import re
import subprocess

from tests.architecture.source_tree import ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_make_alone_lists_every_target() -> None:
    done = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    targets = re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert targets is not None
    assert {line.split()[1] for line in done.stdout.splitlines() if line.startswith("  make ")} == set(
        targets[1].split()
    )


def test_a_wrong_python_is_one_line_that_says_what_to_do() -> None:
    command = ["make", "--always-make", "setup", "VENV=nowhere"]
    for python in ("", "no-such-python"):
        done = subprocess.run([*command, f"PYTHON={python}"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        first, *rest = done.stderr.splitlines()
        assert first.startswith("error: ")
        assert "make PYTHON=/path/to/python setup" in first
        assert len(rest) == 1, "make's own line follows, no traceback"
    assert not (ROOT / "nowhere").exists()


def test_ci_runs_what_everybody_runs() -> None:
    script = ROOT / ".ci" / "run"
    lines = script.read_text("utf-8").split("\n")
    assert lines[0] == "#!/usr/bin/env bash"
    assert "set -euo pipefail" in lines
    assert lines[-2:] == ["make test", ""]
    assert script.stat().st_mode & 0o111
    assert re.search(r"^test: lint types tests", MAKEFILE, re.MULTILINE)
