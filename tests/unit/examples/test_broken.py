"""The broken examples as programs: each named, explained, and sound but for its one fault."""

import subprocess
import sys

import pytest

from aml.examples.broken.faults import FAULTS
from aml.examples.broken.sound import Sound


def test_the_program_lists_every_fault_with_its_explanation() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aml.examples.broken", "--list"], capture_output=True, text=True, check=True, timeout=30
    )
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert lines.keys() == FAULTS.keys()
    assert all(lines.values())


def test_an_unknown_fault_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aml.examples.broken", "--fault", "everything"],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert done.returncode == 2
    assert "everything" in done.stderr


@pytest.mark.parametrize(("name", "fault"), [pair for pair in FAULTS.items() if pair[0] != "none"])
def test_a_fault_changes_some_of_a_sound_server_and_not_all_of_it(name: str, fault: type[Sound]) -> None:
    assert issubclass(fault, Sound)
    own = {attribute for kind in fault.__mro__[: fault.__mro__.index(Sound)] for attribute in vars(kind)}
    overridden = {attribute for attribute in own if not attribute.startswith("_")}
    assert 1 <= len(overridden) <= 3, name
