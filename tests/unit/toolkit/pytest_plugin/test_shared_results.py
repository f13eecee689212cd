"""Results that the workers of a session share."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.factories.plugin_sessions import scoring

from aml.toolkit.pytest_plugin.shared_results import SharedResults, SuiteFailed
from aml.toolkit.results import SuiteResult


def test_an_order_is_run_once_by_whoever_comes_first(tmp_path: Path) -> None:
    runs: list[int] = []

    def run() -> SuiteResult:
        runs.append(1)
        return scoring(80.0)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: SharedResults(tmp_path).once("quick", run), range(8)))
    assert found == [scoring(80.0)] * 8
    assert len(runs) == 1


def test_results_come_in_the_order_in_which_they_were_had(tmp_path: Path) -> None:
    shared = SharedResults(tmp_path)
    for key, score in (("z", 10.0), ("a", 20.0), ("m", 30.0)):
        shared.once(key, lambda score=score: scoring(score))
    assert [each.overall for each in shared.all()] == [10.0, 20.0, 30.0]


def test_a_failure_is_told_again_and_is_no_result(tmp_path: Path) -> None:
    shared = SharedResults(tmp_path)

    def broken() -> SuiteResult:
        raise OSError("no space\nleft")

    with pytest.raises(OSError, match="no space"):
        shared.once("quick", broken)
    with pytest.raises(SuiteFailed, match="OSError: no space left"):
        shared.once("quick", lambda: scoring())
    assert shared.all() == ()


def test_an_interrupted_run_leaves_nothing_and_is_tried_again(tmp_path: Path) -> None:
    shared = SharedResults(tmp_path)

    def interrupted() -> SuiteResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shared.once("quick", interrupted)
    assert shared.once("quick", lambda: scoring(70.0)).overall == 70.0
