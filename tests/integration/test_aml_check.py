"""`aml check` as a participant runs it: against programs, with its exit codes, files and one-line errors."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

KEY = "sk-check-0123456789"


@contextmanager
def running(*options: str, module: str = "broken") -> Iterator[str]:
    command = [sys.executable, "-m", f"aml.examples.{module}", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = re.fullmatch(r"ready (http://127\.0\.0\.1:\d+)\n", process.stdout.readline())
            assert ready is not None
            yield ready[1]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def check(*arguments: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from aml.toolkit.cli.app import main; main()", "check", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "MEMORY_KEY": key, "NO_COLOR": "1"},
    )


def test_a_good_example_passes_and_both_files_say_so(tmp_path: Path) -> None:
    with running("--token", KEY, module="fts5") as base:
        done = check(
            base,
            "--allow-private",
            "--auth",
            "bearer:MEMORY_KEY",
            "--json",
            f"{tmp_path}/out.json",
            "--junit",
            f"{tmp_path}/out.xml",
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the contract is kept" in done.stdout
    outcome = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert outcome["report"]["passed"] is True
    assert outcome["auth"] == "bearer"
    assert outcome["report"]["took"] < 30_000_000
    suite = fromstring((tmp_path / "out.xml").read_text("utf-8"))[0]
    assert suite.get("failures") == "0"
    everything = done.stdout + done.stderr + "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    assert KEY not in everything


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ("echo_lower_case", "failed echo (echo)"),
        ("empty_objects", "failed add (schema)"),
        ("web_page", "that is a web page and not Add or Search"),
    ],
)
def test_a_broken_contract_ends_with_3_and_says_what_to_mend(fault: str, line: str) -> None:
    with running("--fault", fault) as base:
        done = check(base, "--allow-private")
    assert done.returncode == 3
    assert line in done.stdout
    assert "the contract is broken" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_warning_is_told_and_passes() -> None:
    with running("--fault", "worst_first") as base:
        done = check(base, "--allow-private")
    assert done.returncode == 0
    assert "warning order (scores_rise)" in done.stdout


def test_loopback_without_the_option_is_refused_in_a_line_that_names_it() -> None:
    done = check("http://127.0.0.1:9001")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--allow-private" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nonsense",), 2, "BASE_URL"),
        (("http://127.0.0.1:9", "--allow-private"), 3, "the connection was refused or the host is unreachable"),
        (("http://no-such-host.invalid",), 3, "does not resolve"),
        (("http://127.0.0.1:9", "--allow-private", "--track", "sculpture"), 2, "sculpture"),
        (("http://127.0.0.1:9", "--allow-private", "--json", "/no/such/folder/x.json"), 2, "--json"),
        ((), 2, "BASE_URL"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[str, ...], code: int, said: str) -> None:
    done = check(*arguments)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_https_spoken_to_a_server_without_it_is_a_tls_failure() -> None:
    with running() as base:
        done = check(base.replace("http:", "https:"), "--allow-private")
    assert done.returncode == 3
    assert "the TLS handshake failed" in done.stdout


@pytest.mark.parametrize(("fault", "code"), [("none", 0), ("forgets_on_restart", 3)])
def test_a_restart_command_shows_what_is_forgotten(fault: str, code: int, tmp_path: Path) -> None:
    script = tmp_path / "restart.py"
    script.write_text(
        textwrap.dedent(f"""
            import os, pathlib, signal, subprocess, sys, time
            here = pathlib.Path({str(tmp_path)!r})
            pid = here / "pid"
            if pid.exists():
                old = int(pid.read_text())
                os.kill(old, signal.SIGTERM)
                time.sleep(0.3)
            port = (here / "port").read_text() if (here / "port").exists() else "0"
            command = [sys.executable, "-m", "aml.examples.broken", "--fault", {fault!r}, "--port", port,
                       "--data", str(here / "journal")]
            child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
            line = child.stdout.readline()
            (here / "port").write_text(line.strip().rpartition(":")[2])
            pid.write_text(str(child.pid))
        """)
    )
    subprocess.run([sys.executable, str(script)], check=True, timeout=30)
    try:
        port = (tmp_path / "port").read_text()
        done = check(f"http://127.0.0.1:{port}", "--allow-private", "--restart-command", f"{sys.executable} {script}")
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("found after the restart" in done.stdout) is (code == 0)


def test_a_restart_command_that_fails_is_the_tools_failure() -> None:
    with running() as base:
        done = check(base, "--allow-private", "--restart-command", "no-such-command-here")
    assert done.returncode == 1
    assert "restart command" in done.stderr
