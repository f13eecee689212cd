import io
from pathlib import Path

import pytest
from rich.console import Console

from aml.toolkit.cli.stack_view import ForegroundReport, print_status
from aml.toolkit.local.home import Layout
from aml.toolkit.local.stack_status import ProcessStatus, StackStatus


@pytest.fixture
def page() -> io.StringIO:
    return io.StringIO()


@pytest.mark.parametrize(
    ("event", "fields", "said"),
    [
        ("process.ready", {"process": "nats", "port": 4222, "took_s": 0.03}, "nats ready on port 4222 after 0.03 s"),
        (
            "process.crashed",
            {"process": "judge", "problem": "was ended by SIGKILL", "restart_in_s": 0.1},
            "judge was ended by SIGKILL; starting it again in 0.1 s",
        ),
        ("process.killed", {"process": "judge", "after_s": 10.0}, "judge did not stop within 10.0 s and was killed"),
        ("stack.stopped", {}, "stopped"),
    ],
)
def test_each_happening_is_one_line(
    tmp_path: Path, page: io.StringIO, event: str, fields: dict[str, object], said: str
) -> None:
    ForegroundReport(Console(file=page), Layout(tmp_path))(event, **fields)

    assert page.getvalue() == said + "\n"


def test_the_table_shows_what_is_wrong(tmp_path: Path, page: io.StringIO) -> None:
    broken = ProcessStatus(
        port=20_001,
        pid=None,
        ready=False,
        health="was ended by SIGSEGV",
        state="restarting",
        restarts=3,
        last_exit="was ended by SIGSEGV",
        log=tmp_path / "judge.log",
    )
    status = StackStatus(
        running=True,
        ready=False,
        phase="ready",
        home=tmp_path,
        portal="http://127.0.0.1:20000",
        board=tmp_path,
        operator_key_file=tmp_path,
        nats_url=None,
        database_url=None,
        supervisor_pid=1,
        processes={"judge": broken},
    )

    print_status(Console(file=page, width=100), status)

    row = next(line for line in page.getvalue().splitlines() if line.startswith("judge"))
    assert row.split() == ["judge", "20001", "-", "3", "was", "ended", "by", "SIGSEGV"]
    assert "portal http://127.0.0.1:20000" in page.getvalue()
