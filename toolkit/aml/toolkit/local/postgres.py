"""The database of a local stack: one cluster, made once, listening on 127.0.0.1 alone, with passwords."""

import os
import secrets
import shutil
import signal
import subprocess
from pathlib import Path

from .home import Layout, keep_secret, write_private
from .orphans import stop_postgres_strays
from .ports import HOST
from .postgres_place import Place, PostgresUnusable, hand_over, settle
from .postgres_programs import Source, find_programs
from .process_plan import PostmasterReady, ProcessPlan

OWNER = "aml"
DATABASE = "aml"
BUILTIN_LOCALE_SINCE = 17
INIT_TIMEOUT_S = 120

CONFIG = """\
# Written at every start by `aml up`.
data_directory = '{data}'
hba_file = '{hba}'
listen_addresses = '{host}'
port = {port}
# No socket file: nothing to hide, nothing to find.
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
max_connections = 60
shared_buffers = 64MB
# One server, never a standby: less is written. What is committed stays on disk before it is acknowledged.
wal_level = minimal
max_wal_senders = 0
max_wal_size = 1GB
checkpoint_timeout = 15min
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
"""
HBA = f"host all all {HOST}/32 scram-sha-256\n"


def database_url(port: int, database: str = DATABASE) -> str:
    return f"postgresql://{OWNER}@{HOST}:{port}/{database}"


def prepare_postgres(layout: Layout, port: int, environment: dict[str, str], source: Source = "wheel") -> ProcessPlan:
    """Makes the cluster if there is none that is whole, and clears what a killed run left.

    Raises `ProgramMissing`, `PostgresUnusable`.
    """
    environment = environment | {"LC_ALL": "C", "TZ": "UTC"}
    try:
        place = settle(layout, find_programs(source, environment.get("PATH", os.defpath)))
        if is_whole(place):
            check_whole(place, layout)
            recover_pid_file(place.data)
        else:
            make_cluster(place, layout, environment)
        _write_config(place, port)
    except OSError as error:
        raise PostgresUnusable(f"{error.strerror or error}: {error.filename or layout.postgres}") from error
    return ProcessPlan(
        name="postgres",
        command=(str(place.programs.postgres), "-D", str(place.data), f"--config-file={place.config}"),
        environment=environment,
        log_file=layout.log_file("postgres"),
        port=port,
        readiness=PostmasterReady(pid_file=place.data / "postmaster.pid"),
        account=place.account,
        stop_signal=signal.SIGINT,  # "fast": sessions are ended, the log is closed in order
    )


def is_whole(place: Place) -> bool:
    try:
        marked = place.marker.read_text().strip()
    except FileNotFoundError:
        return False
    return (place.data / "PG_VERSION").is_file() and place.cluster in (None, marked)


def check_whole(place: Place, layout: Layout) -> None:
    made_by = (place.data / "PG_VERSION").read_text().strip()
    if made_by != str(place.programs.major):
        raise PostgresUnusable(
            f"{place.data} was made by Postgres {made_by}, and the one found is {place.programs.version}; "
            "set AML_POSTGRES to wheel or system to choose the other, or start with a new --home"
        )
    if not layout.database_password_file.is_file():
        raise PostgresUnusable(f"{layout.database_password_file} is missing; put it back, or start with a new --home")


def recover_pid_file(data: Path) -> None:
    """Postgres recovers by itself, unless the old process id has come to name somebody else."""
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    if stop_postgres_strays(data) == 0 and _names_a_stranger(pid_file):
        pid_file.unlink(missing_ok=True)


def make_cluster(place: Place, layout: Layout, environment: dict[str, str]) -> None:
    stop_postgres_strays(place.data)  # an initdb may have outlived the run that started it
    place.marker.unlink(missing_ok=True)
    if place.data.exists():
        shutil.rmtree(place.data)
    password = place.folder / "initial-password"
    try:
        write_private(password, keep_secret(layout.database_password_file, secrets.token_urlsafe(24)))
        if place.account is not None:
            hand_over(password, place.account)
        locale = (
            ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
            if place.programs.major >= BUILTIN_LOCALE_SINCE
            else ("--locale=C",)
        )
        _run(
            place,
            environment,
            (
                *(str(place.programs.initdb), "-D", str(place.data), "--username", OWNER, "--encoding=UTF8", *locale),
                *("--auth=scram-sha-256", f"--pwfile={password}", "--no-sync"),
            ),
        )
    finally:
        password.unlink(missing_ok=True)
    # Without a server: no port, no client, nothing that could be reached half made.
    single = (str(place.programs.postgres), "--single", "-F", "-D", str(place.data), "postgres")
    _run(place, environment, single, f"CREATE DATABASE {DATABASE};\n")
    # Everything goes to disk once, at the end, and before the marker that vouches for it.
    _run(place, environment, (str(place.programs.initdb), "--sync-only", "-D", str(place.data)))
    write_private(place.marker, (place.cluster or "here") + "\n")


def _run(place: Place, environment: dict[str, str], command: tuple[str, ...], feed: str = "") -> None:
    account = place.account
    try:
        done = subprocess.run(  # noqa: S603 - our own program and paths
            command,
            input=feed,
            capture_output=True,
            text=True,
            env=environment,
            cwd="/",
            timeout=INIT_TIMEOUT_S,
            check=False,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )
    except subprocess.TimeoutExpired:
        raise PostgresUnusable(f"{Path(command[0]).name} did not finish in {INIT_TIMEOUT_S} s") from None
    # The single-user server reports a failed statement but exits with 0.
    failed = [line for line in done.stderr.splitlines() if "ERROR:" in line or "FATAL:" in line or "error:" in line]
    if done.returncode != 0 or failed:
        said = failed or [line for line in done.stderr.splitlines() if "hint" not in line] or ["no reason given"]
        raise PostgresUnusable(f"{Path(command[0]).name} failed: {said[0]}")


def _names_a_stranger(pid_file: Path) -> bool:
    """True when the recorded process lives. Those of the cluster itself have been ended before this is asked."""
    try:
        pid = int(pid_file.read_text().splitlines()[0])
        os.kill(pid, 0)
    except (FileNotFoundError, ProcessLookupError):
        return False
    except (ValueError, IndexError):
        return True  # Postgres refuses a file that it cannot read
    except PermissionError:
        return True
    return True


def _write_config(place: Place, port: int) -> None:
    hba = place.folder / "pg_hba.conf"
    texts = {hba: HBA, place.config: CONFIG.format(data=_quoted(place.data), hba=_quoted(hba), host=HOST, port=port)}
    for path, text in texts.items():
        write_private(path, text)
        if place.account is not None:
            hand_over(path, place.account)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
