"""What `from aml.toolkit import …` offers, and what the import alone costs."""

import subprocess
import sys
from pathlib import Path

import pytest

import aml.toolkit

FORBIDDEN = ("httpx", "aiohttp", "litestar", "rich", "msgspec", "aml.toolkit.", "pydantic_ai", "langgraph", "agents")
BUDGET_SECONDS = 0.15


def test_every_public_name_is_there_and_named_for_readers_too() -> None:
    for name in aml.toolkit.__all__:
        assert getattr(aml.toolkit, name) is not None
    assert sorted(aml.toolkit._HOMES) == sorted(aml.toolkit.__all__)
    assert set(aml.toolkit.__all__) <= set(dir(aml.toolkit))
    source = Path(aml.toolkit.__file__).read_text("utf-8")
    told = source.partition("TYPE_CHECKING:")[2].partition("_HOMES")[0]
    assert [name for name in aml.toolkit.__all__ if name not in told] == []


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Swete'"):
        _ = aml.toolkit.Swete


def test_the_import_opens_nothing_and_loads_nothing() -> None:
    script = (
        "import sys, time; before = set(sys.modules); began = time.perf_counter(); import aml.toolkit\n"
        "print(time.perf_counter() - began); print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seconds, loaded = done.stdout.splitlines()

    assert float(seconds) < BUDGET_SECONDS
    assert [name for name in loaded.split() if name.startswith(FORBIDDEN)] == []
