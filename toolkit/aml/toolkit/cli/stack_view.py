"""How the local stack is shown: a table for people, JSON for programs, one line a happening in the foreground."""

import sys

import msgspec
from rich.console import Console
from rich.table import Table

from aml.toolkit.local import StackInfo
from aml.toolkit.local.home import Layout
from aml.toolkit.local.stack_status import StackStatus
from aml.toolkit.local.state import read_state
from aml.toolkit.plain_line import print_line


class ForegroundReport:
    """What the supervisor reports, in words."""

    def __init__(self, console: Console, layout: Layout) -> None:
        self._console = console
        self._layout = layout

    def __call__(self, event: str, **fields: object) -> None:
        match event:
            case "process.ready":
                self._say(f"{fields['process']} ready on port {fields['port']} after {fields['took_s']} s")
            case "process.crashed":
                self._say(f"{fields['process']} {fields['problem']}; starting it again in {fields['restart_in_s']} s")
            case "process.killed":
                self._say(f"{fields['process']} did not stop within {fields['after_s']} s and was killed")
            case "stack.orphans_ended":
                self._say("ended what an earlier run left behind")
            case "stack.ready":
                state = read_state(self._layout)
                self._say(f"ready: {state.portal if state else ''} (Ctrl-C stops everything)")
            case _:
                self._say(event.removeprefix("stack."))

    def _say(self, line: str) -> None:
        print_line(self._console, line)


def print_running(console: Console, info: StackInfo) -> None:
    state = "ready" if info.started else "already running"
    lines = (f"{state}: {info.portal}", f"data: {info.home}", f"operator key: {info.operator_key_file}")
    for line in lines:
        print_line(console, line)


def print_json(status: StackStatus) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(status, enc_hook=str), indent=2).decode() + "\n")


def print_status(console: Console, status: StackStatus) -> None:
    if not status.running:
        console.print(f"nothing runs in {status.home}; start it with `aml up`", highlight=False, soft_wrap=True)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("process", "port", "pid", "restarts", "health"):
        table.add_column(heading, justify="right" if heading in ("port", "pid", "restarts") else "left")
    for name, process in status.processes.items():
        numbers = (process.port, process.pid, process.restarts)
        table.add_row(name, *("-" if number is None else str(number) for number in numbers), process.health)
    console.print(table)
    console.print(f"portal {status.portal}", highlight=False, soft_wrap=True)
