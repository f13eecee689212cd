"""The gateway as a process of its own."""

import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest


@dataclass
class Running:
    url: str
    operator_key: str
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes]


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def start_gateway(environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen([sys.executable, "-m", "aml.gateway"], env=environment, stdout=output, stderr=output)


def wait_ready(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    pytest.fail(f"the gateway was not ready in {seconds} s: {log.read_text()[-2000:]}")
