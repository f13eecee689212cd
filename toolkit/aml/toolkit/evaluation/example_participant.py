"""An example system as a child process, which can outlive this one and be found again by its record."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
from msgspec import Struct

from aml.toolkit.local.spawning import log_tail
from aml.toolkit.local.state import Identity, identify, is_alive

from .errors import EvaluationError
from .system_choice import EXAMPLES

START_SECONDS = 20.0
STOP_SECONDS = 5.0
LOOK_EVERY_SECONDS = 0.02
_READY = "ready "


class ExampleFailed(EvaluationError):
    def __init__(self, name: str, problem: str, log_file: Path) -> None:
        super().__init__(f"the example {name} {problem}; its log is {log_file}")
        self.name = name
        self.problem = problem
        self.log_file = log_file


class ExampleParticipant(Struct, frozen=True, kw_only=True):
    name: str
    base_url: str
    port: int
    log_file: Path
    data: Path | None
    """What it remembers, for a start in its place; None where it forgets at its end."""
    identity: Identity

    @property
    def alive(self) -> bool:
        return is_alive(self.identity)

    def stop(self) -> None:
        """By its process id, and only while that is still the same process."""
        if not self.alive:
            return
        try:
            process = psutil.Process(self.identity.pid)
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except psutil.TimeoutExpired:
                process.kill()
                process.wait(STOP_SECONDS)
        except psutil.NoSuchProcess:
            return

    def forget(self) -> None:
        """Removes its data, the companions of an SQLite file included."""
        if self.data is not None:
            for path in self.data.parent.glob(f"{self.data.name}*"):
                path.unlink(missing_ok=True)


def start_example(name: str, log_file: Path, *, data: Path | None = None, port: int = 0) -> ExampleParticipant:
    """Returns when it listens. Raises `ExampleFailed`."""
    command = [sys.executable, "-P", "-m", EXAMPLES[name], "--port", str(port)]
    if data is not None and name != "nothing":
        command += ["--data", str(data)]
    log_file.parent.mkdir(parents=True, exist_ok=True)
    with log_file.open("wb") as log:
        # Its own session: Ctrl-C ends the command that started it, and the run may go on without that.
        child = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    try:
        base_url = _await_ready(child, name, log_file)
        identity = identify(child.pid)
    except BaseException:
        child.kill()
        child.wait()
        raise
    child.returncode = 0  # let go of it: from here on it is known by its identity, here and to whoever resumes
    if identity is None:
        raise ExampleFailed(name, "ended at once", log_file)
    return ExampleParticipant(
        name=name,
        base_url=base_url,
        port=int(base_url.rpartition(":")[2]),
        log_file=log_file,
        data=data,
        identity=identity,
    )


def _await_ready(child: "subprocess.Popen[bytes]", name: str, log_file: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while True:
        for line in log_tail(log_file):
            if line.startswith(_READY):
                return line.removeprefix(_READY).strip()
        if child.poll() is not None:
            last = (log_tail(log_file, 1) or ("without a word",))[0]
            raise ExampleFailed(name, f"ended with exit code {child.returncode}: {last}", log_file)
        if time.monotonic() > deadline:
            raise ExampleFailed(name, f"did not listen within {START_SECONDS:g} s", log_file)
        time.sleep(LOOK_EVERY_SECONDS)
