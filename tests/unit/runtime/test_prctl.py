import subprocess
import sys

import pytest

from aml.runtime.prctl import is_linux

pytestmark = pytest.mark.skipif(not is_linux(), reason="Linux alone knows these calls")


def show(as_module: str, instead_of: str) -> tuple[list[str], str]:
    """Arguments and name, as another process sees them."""
    script = (
        "import sys; from pathlib import Path; from aml.runtime.prctl import show_as;"
        f"show_as({as_module!r}, instead_of=sys.argv[1]);"
        "print(Path('/proc/self/cmdline').read_text().replace(chr(0), ' '), Path('/proc/self/comm').read_text(), sep=chr(10))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, instead_of, "last"], capture_output=True, text=True, check=True
    )
    line, name = done.stdout.splitlines()[:2]
    return line.split()[-2:], name


def test_a_process_shows_the_name_that_it_was_given() -> None:
    assert show("aml.ledger", "aml.something_long") == (["aml.ledger", "last"], "aml-ledger")


def test_a_name_that_does_not_fit_overwrites_nothing() -> None:
    arguments, name = show("aml.much_too_long_for_it", "short")

    assert arguments == ["short", "last"]
    assert name == "aml-much_too_lo"
