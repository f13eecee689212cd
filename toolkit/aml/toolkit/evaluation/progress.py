"""Progress of one or several tasks: bars on a terminal, plain lines everywhere else (a build's log, a pipe)."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from aml.gateway.jobs.views import Job
from aml.toolkit.plain_line import print_line

from .follow_job import stage_progress

LINE_SECONDS: Final = 5.0
"""At most one plain line a task in this time while its step stays the same."""
QUIET_SECONDS: Final = 10.0
"""A job without an event for longer than this says so."""


class ProgressView(Protocol):
    def say(self, line: str) -> None: ...

    def show(self, task: str, step: str, done: int = 0, total: int | None = None, note: str = "") -> None: ...

    def finish(self, task: str, note: str) -> None: ...


@contextmanager
def progress_view(console: Console) -> Iterator[ProgressView]:
    if not console.is_terminal:
        yield PlainLines(lambda line: print_line(console, line))
        return
    with Progress(
        SpinnerColumn(finished_text="✓"),
        TextColumn("{task.description}"),
        TextColumn("{task.fields[step]}", style="cyan"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", style="dim"),
        TimeElapsedColumn(),
        console=console,
    ) as bars:
        yield Bars(bars)


class Bars:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def say(self, line: str) -> None:
        print_line(self._bars.console, line)

    def show(self, task: str, step: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        if task not in self._tasks:
            self._tasks[task] = self._bars.add_task(escape(task), total=total, step=step, note=escape(note))
        self._bars.update(self._tasks[task], completed=done, total=total, step=step, note=escape(note))

    def finish(self, task: str, note: str) -> None:
        self.show(task, "done", 1, 1, note)


class PlainLines:
    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._last: dict[str, tuple[str, float, int]] = {}

    def say(self, line: str) -> None:
        self._write(line)

    def show(self, task: str, step: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        """A line when the step changes, when it is complete, and now and then between."""
        now = self._clock()
        last_step, last_at, last_done = self._last.get(task, ("", 0.0, -1))
        complete = total is not None and done == total and last_done != done
        if step == last_step and not complete and now - last_at < LINE_SECONDS:
            return
        self._last[task] = (step, now, done)
        counted = f" {done:,}/{total:,}" if total is not None else ""
        self._write(f"{task}: {step}{counted}" + (f" ({note})" if note else ""))

    def finish(self, task: str, note: str) -> None:
        self._write(f"{task}: done ({note})")


def show_job(view: ProgressView, task: str, job: Job, *, prefix: str = "") -> None:
    """One job as one line: the stage that has work left, how much of it is done, and what went wrong so far."""
    stage = stage_progress(job)
    done, total = (stage.done, stage.total) if stage else (job.counts.scored + job.counts.unscored, job.counts.planned)
    step = "finished" if job.stage == "ended" else job.stage
    view.show(task, f"{prefix}{step}", done, total, job_note(job))


def job_note(job: Job) -> str:
    parts = [] if job.rate_per_second is None else [f"{job.rate_per_second:,.0f} questions/s"]
    parts += [] if job.queue_place is None else [f"place {job.queue_place:,} in the queue"]
    named = (("retries", job.retries), ("requeued", job.requeued), ("unscored", job.counts.unscored))
    parts += [f"{number:,} {name}" for name, number in (*named, ("parked", job.parked)) if number]
    if job.stalled is not None:
        parts.append(f"stalled: {job.stalled.why}")
    elif job.heartbeat_age_seconds is not None and job.heartbeat_age_seconds > QUIET_SECONDS and job.stage != "ended":
        parts.append(f"no event for {job.heartbeat_age_seconds:.0f} s")
    return ", ".join(parts)
