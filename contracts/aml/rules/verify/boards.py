"""The public boards against the log: each row says what its decision says, stands where it belongs, and was approved."""

import hashlib
from collections.abc import Iterator
from itertools import groupby

import msgspec

from aml.contracts.boards import Board, BoardDataset, BoardRow, ReviewDecided
from aml.contracts.seals import GatePassed, JobResult
from aml.rules.bundle_archive import BundleFiles
from aml.rules.bundle_layout import BOARDS
from aml.rules.bundle_tree import BundleTree
from aml.rules.checkpoint import Checkpoint, NoteInvalid
from aml.rules.merkle import ProofInvalid, verify_inclusion

from .findings import Findings
from .head import Keys, open_head
from .job_fold import LogFold

_board = msgspec.json.Decoder(Board)


def check_boards(files: BundleFiles, keys: Keys, tree: BundleTree, fold: LogFold, findings: Findings) -> None:
    names = sorted(name for name in files if name.startswith(BOARDS))
    rows = 0
    for name in names:
        try:
            board = _board.decode(files[name])
        except msgspec.DecodeError as error:
            findings.refuse("board", "board_malformed", f"{name} is no board: {error}")
            continue
        rows += len(board.rows)
        head = _head(name, board, keys, tree, findings)
        if head is None:
            continue
        for row in board.rows:
            _check_row(row, board, head, fold, findings)
        _check_ranks(board, findings)
        _check_digest(name, files[name], board, fold, findings)
    if names:
        findings.passed("board", f"{rows} rows on {len(names)} boards say what the log says")
    else:
        findings.skipped("board", "the bundle holds no board")


def _head(name: str, board: Board, keys: Keys, tree: BundleTree, findings: Findings) -> Checkpoint | None:
    try:
        head = open_head(board.checkpoint, keys)
    except NoteInvalid as error:
        findings.refuse("board", "board_checkpoint_wrong", f"{name}: {error.problem}")
        return None
    if head.size > tree.size or tree.root(head.size) != head.root:
        problem = f"{name}: its checkpoint of {head.size} entries is not of this tree of {tree.size}"
        findings.refuse("board", "board_of_other_tree", problem)
        return None
    return head


def _check_row(row: BoardRow, board: Board, head: Checkpoint, fold: LogFold, findings: Findings) -> None:
    entry = fold.claims.get(row.job_id)
    claim = entry.event if entry is not None else None
    if entry is None or not isinstance(claim, GatePassed):
        problem = f"{row.subject.system}: the bundle holds no GatePassed of job {row.job_id}"
        findings.refuse("board", "board_row_unknown", problem, entry=row.log.index, job=row.job_id)
        return
    reviews = fold.reviews.get(row.job_id, [])
    for code, problem in _problems(row, board, head, (entry.index, entry.leaf, claim), reviews):
        text = f"{row.subject.system}: {problem}"
        findings.refuse("board", code, text, entry=entry.index, job=row.job_id)


def _problems(
    row: BoardRow,
    board: Board,
    head: Checkpoint,
    held: tuple[int, str, GatePassed],
    reviews: list[tuple[int, ReviewDecided]],
) -> Iterator[tuple[str, str]]:
    index, leaf, claim = held
    if differing := _differing(row, claim):
        yield "board_row_differs", f"the row's {', '.join(differing)} is not that of entry {index}"
    if (claim.subject.track, claim.subject.release_digest) != (board.track, board.release_digest):
        yield "board_row_misplaced", f"entry {index} is a result of another track or release"
    place = (row.log.index, row.log.leaf, row.log.tree_size, row.log.root)
    if place != (index, leaf, head.size, head.root.hex()):
        yield "board_row_position", f"the row names another place in the log than entry {index} of {head.size}"
    elif (problem := _proof_problem(row, head)) is not None:
        yield "board_proof_wrong", f"the row's proof of entry {index}: {problem}"
    if (problem := _review_problem(row, claim, head, reviews)) is not None:
        yield "board_row_not_approved", problem


def _differing(row: BoardRow, claim: GatePassed) -> list[str]:
    result: JobResult = claim.result
    expected = {
        "subject": claim.subject,
        "overall": result.overall,
        "interval": result.interval,
        "datasets": tuple(BoardDataset(name=each.name, tally=each.overall) for each in result.datasets),
        "add": result.add,
        "search": result.search,
        "context_tokens": result.context_tokens,
        "checks": claim.checks,
    }
    return [name for name, value in expected.items() if getattr(row, name) != value]


def _proof_problem(row: BoardRow, head: Checkpoint) -> str | None:
    try:
        leaf, proof = bytes.fromhex(row.log.leaf), tuple(bytes.fromhex(step) for step in row.log.proof)
        verify_inclusion(index=row.log.index, size=head.size, leaf=leaf, proof=proof, root=head.root)
    except ProofInvalid as error:
        return error.problem
    return None


def _review_problem(
    row: BoardRow, claim: GatePassed, head: Checkpoint, reviews: list[tuple[int, ReviewDecided]]
) -> str | None:
    """The board may be older than a later decision, and a little ahead of its own checkpoint; neither is wrong."""
    if not any(each.decision == "approve" and each.seal == claim.seal for _, each in reviews):
        return f"no review approved the result of job {row.job_id}"
    known = sorted((each.number, each) for index, each in reviews if index < head.size)
    if known and (last := known[-1][1]).decision != "approve":
        return f"the last review of job {row.job_id} decided: {last.decision}"
    return None


def _check_ranks(board: Board, findings: Findings) -> None:
    """Competition ranks (1, 1, 3) within a division, in the order of the scores."""
    for division, members in groupby(board.rows, key=lambda row: row.subject.division):
        rows = list(members)
        for row in rows:
            rank = 1 + sum(other.overall > row.overall for other in rows)
            if row.rank != rank:
                problem = f"{row.subject.system} has rank {row.rank} of {division}, and its score gives {rank}"
                findings.refuse("board", "board_rank_wrong", problem, entry=row.log.index, job=row.job_id)


def _check_digest(name: str, data: bytes, board: Board, fold: LogFold, findings: Findings) -> None:
    board_id = name.removeprefix(BOARDS).removesuffix(".json")
    published = fold.published.get((board_id, board.version))
    if published is None:
        return  # its BoardPublished may be newer than the checkpoint
    index, event = published
    if event.digest != hashlib.sha256(data).hexdigest():
        problem = f"{name} is not version {board.version} as entry {index} published it"
        findings.refuse("board", "board_digest_differs", problem, entry=index)
