"""A board that tells the truth passes every check; each lie is found by the check that is meant for it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.factories.boards import a_shown_board
from tests.factories.platform_views import results_of
from tests.factories.results import SignedLog, a_gate, a_result

from aml.contracts.boards import BoardRow
from aml.gateway.results.views import Results
from aml.toolkit.demo.await_board import PublicBoard
from aml.toolkit.demo.verify_board import verify_board

GATES = [
    a_gate("a", system="Recall", result=a_result(712_345)),
    a_gate("b", system="Palimpsest", result=a_result(500_000)),
]
RESULTS: dict[str, Results] = {gate.job_id: results_of(gate) for gate in GATES}


def a_log() -> SignedLog:
    log = SignedLog()
    log.fill(5)
    return log


def a_public_board(log: SignedLog) -> PublicBoard:
    shown = a_shown_board(GATES, log=log)
    return PublicBoard(board=shown.board, entries={job: entry.encode() for job, entry in shown.entries.items()})


def failed(public: PublicBoard, log: SignedLog, results: dict[str, Results] | None = None) -> list[str]:
    return [each.check for each in verify_board(public, log.key, results or RESULTS) if not each.passed]


def test_a_true_board_passes_five_checks() -> None:
    log = a_log()
    verified = verify_board(a_public_board(log), log.key, RESULTS)

    assert [each.passed for each in verified] == [True] * 5
    assert verified[0].detail.startswith("log.example/aml, 7 entries")


def changed(public: PublicBoard, change: Callable[[BoardRow], Any]) -> PublicBoard:
    first, *others = public.board.rows
    rows = (msgspec.structs.replace(first, **change(first)), *others)
    return msgspec.structs.replace(public, board=msgspec.structs.replace(public.board, rows=rows))


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda row: {"overall": row.overall + 1}, "rows equal the log"),
        (lambda row: {"datasets": ()}, "rows equal the log"),
        (lambda row: {"subject": msgspec.structs.replace(row.subject, system="Other")}, "rows equal the log"),
        (lambda row: {"checks": row.checks[1:]}, "rows equal the log"),
        (lambda row: {"log": msgspec.structs.replace(row.log, index=row.log.index + 1)}, "inclusion proofs"),
        (lambda row: {"log": msgspec.structs.replace(row.log, proof=row.log.proof[1:])}, "inclusion proofs"),
        (lambda row: {"log": msgspec.structs.replace(row.log, root="00" * 32)}, "inclusion proofs"),
    ],
)
def test_a_row_that_was_changed_is_found(change: Callable[[BoardRow], Any], check: str) -> None:
    log = a_log()
    assert check in failed(changed(a_public_board(log), change), log)


def test_a_result_that_differs_from_the_api_is_found() -> None:
    log = a_log()
    other = RESULTS | {"a": results_of(a_gate("a", system="Recall", result=a_result(712_346)))}

    assert failed(a_public_board(log), log, other) == ["rows equal the results"]


def test_a_checkpoint_of_another_key_proves_nothing() -> None:
    log = a_log()
    public = a_public_board(log)
    forged = public.board.checkpoint.replace("— log.example/aml ", "— other.example/aml ")
    board = msgspec.structs.replace(public.board, checkpoint=forged)

    assert failed(msgspec.structs.replace(public, board=board), log) == ["checkpoint signature"]
