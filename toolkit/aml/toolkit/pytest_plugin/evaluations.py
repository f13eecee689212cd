"""The evaluations of one pytest session: whose stack, which results, and at the end what they come to.

Exit codes are pytest's own, and of a session whose tests all passed: 3 below the threshold or fallen since the baseline, 4
incomplete, 2 where an option asked for a result and no test gave one.
"""

import asyncio
import functools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pytest

from aml.toolkit.cli.interruption import interrupted_by_sigterm
from aml.toolkit.evaluation.agent_choice import load_object
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.stack_lease import lease_stack
from aml.toolkit.local import LocalStack
from aml.toolkit.outputs.junit import properties_of
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.suite import Suite

from .closing import Closing, close
from .order import Order, order_of
from .settings import read_settings
from .shared_results import SharedResults

_PASSING = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
_NO_AGENT = (
    "nobody says which agent to evaluate: define a fixture memory_agent in conftest.py that returns it, or set the ini"
    " option aml_agent = MODULE:NAME"
)


class Evaluations:
    """A plugin of its own, registered once something of AML is used."""

    def __init__(self, config: pytest.Config, *, step_summary: str | None) -> None:
        self._config = config
        self._settings = read_settings(config)
        self._step_summary = None if step_summary is None else Path(step_summary)
        self._worker: dict[str, Any] | None = getattr(config, "workeroutput", None)
        self._folder: Path | None = None
        self._closing: Closing | None = None

    @contextmanager
    def stack(self, factory: pytest.TempPathFactory) -> Iterator[LocalStack]:
        home = self._settings.home or self._place(factory) / "home"
        local = LocalStack(home)
        with _ended_by_sigterm(), lease_stack(local, keep=False):
            yield local

    def named_agent(self) -> Any:
        """Raises pytest's failure where nobody names one."""
        if self._settings.agent is None:
            pytest.fail(_NO_AGENT, pytrace=False)
        try:
            return load_object(self._settings.agent, folder=self._settings.root, option="aml_agent")
        except WrongUsage as error:
            pytest.fail(str(error), pytrace=False)

    def result_for(self, request: pytest.FixtureRequest, agent: Any, factory: pytest.TempPathFactory) -> SuiteResult:
        order = order_of(request.node, agent, suite=self._settings.suite, repeats=self._settings.repeats)
        shared = SharedResults(self._place(factory) / "results")
        result = shared.once(order.key, lambda: _run(order, agent, request.getfixturevalue("aml_stack")))
        request.node.user_properties += properties_of(result)
        return result

    def gather_from(self, folder: str) -> None:
        self._folder = Path(folder)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._worker is not None:
            if self._folder is not None:
                self._worker["aml_folder"] = str(self._folder)
            return
        if session.config.getoption("collectonly", default=False):
            return
        passing = exitstatus in _PASSING
        self._closing = close(self._results(), self._settings, self._step_summary, all_passed=passing)
        if self._settings.home is None and self._folder is not None:
            LocalStack(self._folder / "home").remove()
        if passing and self._closing.exit_code is not None:
            session.exitstatus = self._closing.exit_code

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._closing is None or not self._closing.lines:
            return
        terminalreporter.section("agent memory")
        for line in self._closing.lines:
            terminalreporter.write_line(line)

    def _results(self) -> tuple[SuiteResult, ...]:
        return () if self._folder is None else SharedResults(self._folder / "results").all()

    def _place(self, factory: pytest.TempPathFactory) -> Path:
        """In pytest's temporary folder; the workers of pytest-xdist each have one inside the controller's."""
        base = factory.getbasetemp()
        self._folder = (base if self._worker is None else base.parent) / "aml"
        return self._folder


def _ended_by_sigterm() -> AbstractContextManager[None]:
    """A build that is stopped, or out of time, leaves no stack behind. Python handles signals in the main thread only."""
    return interrupted_by_sigterm() if current_thread() is main_thread() else nullcontext()


def _run(order: Order, agent: Any, stack: Any) -> SuiteResult:
    """Other plugins' fixtures may leave an event loop running in this thread; then it is waited for in another one."""
    run = functools.partial(Suite(order.suite).run_sync, agent, stack=stack, repeats=order.repeats, **order.options)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(run).result()
