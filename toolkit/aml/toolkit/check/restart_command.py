"""Runs the command that restarts the system under test, without a shell."""

import asyncio

from aml.runtime.doctor import RestartFailed

WITHIN_SECONDS = 120.0


async def run_restart(words: tuple[str, ...], within_seconds: float = WITHIN_SECONDS) -> None:
    """Returns when the command has ended. Raises `RestartFailed`."""
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError as error:
        raise RestartFailed(f"the restart command {words[0]!r} cannot be run: {error.strerror or error}") from None
    try:
        code = await asyncio.wait_for(process.wait(), within_seconds)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise RestartFailed(f"the restart command did not end within {within_seconds:g} s") from None
    if code != 0:
        raise RestartFailed(f"the restart command ended with exit code {code}")
