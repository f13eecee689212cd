"""What a sceptical reader checks of a board: signature, inclusion, and that each row says what the log and the API say. Pure."""

from collections.abc import Mapping

from msgspec import Struct

from aml.contracts.boards import BoardDataset, BoardRow
from aml.contracts.seals import GatePassed, JobResult
from aml.gateway.results.views import Results
from aml.rules.checkpoint import Checkpoint, NoteInvalid, VerifierKey, open_checkpoint
from aml.rules.verify import LogInvalid, verify_entry

from .await_board import PublicBoard


class Verification(Struct, frozen=True, kw_only=True):
    check: str
    passed: bool
    detail: str


def verify_board(public: PublicBoard, key: VerifierKey, results: Mapping[str, Results]) -> tuple[Verification, ...]:
    """`results` by job, as the API gave them to the systems' owners."""
    board = public.board
    try:
        checkpoint = open_checkpoint(board.checkpoint, key)
    except NoteInvalid as error:
        return (Verification(check="checkpoint signature", passed=False, detail=error.problem),)
    signed = Verification(
        check="checkpoint signature",
        passed=True,
        detail=f"{checkpoint.origin}, {checkpoint.size:,} entries, Ed25519 key {key.key_id.hex()}",
    )
    wrong: dict[str, list[str]] = {"inclusion": [], "log": [], "api": [], "gate": []}
    for row in board.rows:
        _verify_row(row, public.entries[row.job_id], checkpoint, results.get(row.job_id), wrong)
    rows = f"{len(board.rows)} rows"
    compared = f"{len(results.keys() & {row.job_id for row in board.rows})} rows"
    return (
        signed,
        _all("inclusion proofs", wrong["inclusion"], f"{rows}, each proven under the checkpoint's root"),
        _all("rows equal the log", wrong["log"], f"{rows} say what their GatePassed entries say"),
        _all("rows equal the results", wrong["api"], f"{compared} say what the API told the systems' owners"),
        _all("gate checks", wrong["gate"], f"{sum(len(row.checks) for row in board.rows)} checks passed"),
    )


def _verify_row(
    row: BoardRow, entry: bytes, checkpoint: Checkpoint, results: Results | None, wrong: dict[str, list[str]]
) -> None:
    name = row.subject.system
    try:
        read = verify_entry(checkpoint, entry, tuple(bytes.fromhex(step) for step in row.log.proof))
    except (LogInvalid, ValueError) as error:
        wrong["inclusion"].append(f"{name}: {error}")
        return
    position = (row.log.index, row.log.leaf, row.log.tree_size, row.log.root)
    if position != (read.index, read.leaf, checkpoint.size, checkpoint.root.hex()):
        wrong["inclusion"].append(f"{name}: the row names another position than the proof")
    event = read.event
    if not isinstance(event, GatePassed) or event.job_id != row.job_id or event.subject != row.subject:
        wrong["log"].append(f"{name}: entry {read.index} is not this row's GatePassed")
        return
    if not _says(row, event.result) or event.checks != row.checks:
        wrong["log"].append(f"{name}: the row differs from entry {read.index}")
    if results is not None and (results.seal != event.seal or not _says(row, results.result)):
        wrong["api"].append(f"{name}: the row differs from the job's results")
    if failed := [check.name for check in row.checks if not check.passed]:
        wrong["gate"].append(f"{name}: {', '.join(failed)}")


def _says(row: BoardRow, result: JobResult) -> bool:
    datasets = tuple(BoardDataset(name=each.name, tally=each.overall) for each in result.datasets)
    calls = (row.add, row.search, row.context_tokens) == (result.add, result.search, result.context_tokens)
    return (row.overall, row.interval, row.datasets) == (result.overall, result.interval, datasets) and calls


def _all(check: str, problems: list[str], detail: str) -> Verification:
    return Verification(check=check, passed=not problems, detail="; ".join(problems) or detail)
