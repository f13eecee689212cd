"""A package is read in a process of its own: what it costs is bounded by the operating system, and what it breaks is not ours.

`python -m aml.gateway.donations.inspection_process PATH FILENAME` writes the report, or `{"refused": problem}`, as one JSON
object. It has no variables but the import path: no address and no key-file name reaches it.
"""

import asyncio
import os
import resource
import sys
from pathlib import Path
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from .inspect_package import inspect_package
from .package_report import MIB, PackageLimits, PackageRefused, PackageReport

log = structlog.get_logger()

SECONDS: Final = 60.0
MEMORY_BYTES: Final = 1024 * MIB
"""Of address space: the interpreter and its libraries take most of it. 256 MiB of content are read in 90 MB of real memory."""


class Outcome(Struct, frozen=True, kw_only=True):
    report: PackageReport | None = None
    refused: str | None = None


async def inspect_apart(path: Path, filename: str, *, seconds: float = SECONDS) -> PackageReport:
    """Raises `PackageRefused`, also where reading takes too long or too much."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", __name__, str(path), filename),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"PYTHONPATH": os.pathsep.join(part for part in sys.path if part)},
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            said, _ = await process.communicate()
    except TimeoutError:
        raise PackageRefused(f"takes longer than {seconds:.0f} s to read; send a smaller part of it") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        log.warning("package.unreadable", returncode=process.returncode)
        raise PackageRefused("takes more memory or time to read than a package may; send a smaller part of it")
    outcome = msgspec.json.decode(said, type=Outcome)
    if outcome.report is None:
        raise PackageRefused(outcome.refused or "cannot be read")
    return outcome.report


def main(path: str, filename: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS) + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        outcome = Outcome(report=inspect_package(Path(path), filename, PackageLimits()))
    except PackageRefused as error:
        outcome = Outcome(refused=error.problem)
    sys.stdout.buffer.write(msgspec.json.encode(outcome))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
