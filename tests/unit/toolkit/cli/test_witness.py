import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from tests.factories.cosigners import a_note, log_key
from typer.testing import CliRunner

from aml.ledger.witnesses import add_checkpoint_body
from aml.rules.cosignature import parse_witness_key
from aml.rules.witness_policy import parse_policy, require_quorum
from aml.toolkit.cli.boundary import CommandFailed
from aml.toolkit.cli.witness import app


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.strip()


def test_a_key_is_made_and_shown(tmp_path: Path) -> None:
    key = str(tmp_path / "w.key")

    made = run("keygen", "--key", key, "--name", "w.example.org")

    assert parse_witness_key(made).name == "w.example.org"
    assert run("verifier", "--key", key) == made
    with pytest.raises(CommandFailed, match="exists"):
        run("keygen", "--key", key, "--name", "w.example.org")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    key = str(tmp_path / "w.key")
    with pytest.raises(CommandFailed, match="cannot be read"):
        run("serve", "--key", key, "--log", "nowhere", "--state", str(tmp_path / "state"))
    run("keygen", "--key", key, "--name", "w.example.org")
    with pytest.raises(CommandFailed, match="nowhere cannot be read"):
        run("serve", "--key", key, "--log", "nowhere", "--state", str(tmp_path / "state"))


def test_a_witness_serves_until_it_is_stopped(tmp_path: Path) -> None:
    key, logs = tmp_path / "w.key", tmp_path / "logs"
    verifier = run("keygen", "--key", str(key), "--name", "w.example.org")
    logs.write_text(f"{log_key()}\n")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = "from aml.toolkit.cli.app import main; main()"
    options = ["--key", str(key), "--log", str(logs), "--state", str(tmp_path / "state"), "--port", str(port)]
    command = [sys.executable, "-c", program, "witness", "serve", *options]
    with subprocess.Popen(command, env=dict(os.environ), stderr=subprocess.PIPE) as process:
        try:
            note = a_note(7, bytes(32))
            body = add_checkpoint_body(0, (), note).encode()
            line = _posted(f"http://127.0.0.1:{port}/add-checkpoint", body)
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    assert require_quorum(note + line, parse_policy(f"witness w {verifier}\nquorum w\n"), now_s=None) == ("w",)


def _posted(url: str, body: bytes) -> str:
    deadline = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
