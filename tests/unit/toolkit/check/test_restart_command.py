import sys

import pytest

from aml.runtime.doctor import RestartFailed
from aml.toolkit.check.restart_command import run_restart


async def test_it_returns_when_the_command_has_ended() -> None:
    await run_restart((sys.executable, "-c", "pass"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no-such-command-here",), "cannot be run"),
        ((sys.executable, "-c", "raise SystemExit(7)"), "exit code 7"),
    ],
)
async def test_a_command_that_fails_is_said(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(RestartFailed, match=said):
        await run_restart(words)


async def test_a_command_that_hangs_is_ended() -> None:
    with pytest.raises(RestartFailed, match=r"within 0\.1 s"):
        await run_restart((sys.executable, "-c", "import time; time.sleep(60)"), within_seconds=0.1)
