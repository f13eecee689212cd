import io

from rich.console import Console
from tests.factories.platform_views import a_job

from aml.toolkit.evaluation.progress import PlainLines, job_note, progress_view, show_job


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_plain_lines_come_with_a_step_now_and_then_and_at_its_end() -> None:
    lines: list[str] = []
    clock = Clock()
    view = PlainLines(lines.append, clock)

    for second in range(12):
        clock.now = float(second)
        view.show("mine", "retrieval", second, 11)
    view.show("mine", "scoring", 0, 11, "2 retries")

    assert lines == [
        "mine: retrieval 0/11",
        "mine: retrieval 5/11",
        "mine: retrieval 10/11",
        "mine: retrieval 11/11",
        "mine: scoring 0/11 (2 retries)",
    ]


def test_a_job_is_shown_by_the_stage_that_has_work_left() -> None:
    lines: list[str] = []
    show_job(PlainLines(lines.append), "mine", a_job(stage="retrieval", done=3, total=20, retries=2), prefix="full ")

    assert lines == ["mine: full retrieval 3/20 (2 retries)"]


def test_silence_is_said_while_a_job_runs() -> None:
    assert job_note(a_job(stage="retrieval", heartbeat_age_seconds=42.0)) == "no event for 42 s"
    assert job_note(a_job(stage="ended", heartbeat_age_seconds=42.0)) == ""


def test_a_pipe_gets_plain_lines_and_a_terminal_bars() -> None:
    pipe, terminal = io.StringIO(), io.StringIO()
    with progress_view(Console(file=pipe)) as view:
        view.show("[a]", "ingest", 1, 2)
    with progress_view(Console(file=terminal, force_terminal=True, width=120)) as view:
        view.show("[a]", "ingest", 1, 2)
        view.finish("[a]", "all of it")

    assert pipe.getvalue() == "[a]: ingest 1/2\n"
    assert "[a]" in terminal.getvalue()
    assert "all of it" in terminal.getvalue()
