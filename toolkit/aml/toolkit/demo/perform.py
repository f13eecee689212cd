"""The demo as a whole: stack, systems, walks side by side, board, verification."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from aml.contracts.boards import Board, BoardRow
from aml.toolkit.evaluation.example_participant import ExampleParticipant, start_example
from aml.toolkit.evaluation.follow_job import Patience
from aml.toolkit.evaluation.health_check import check_health
from aml.toolkit.evaluation.log_reader import open_note, read_verifier
from aml.toolkit.evaluation.progress import ProgressView
from aml.toolkit.evaluation.stack_lease import lease_stack
from aml.toolkit.evaluation.system_choice import endpoints_at
from aml.toolkit.local import LocalStack, StackInfo
from aml.toolkit.local.home import Layout, make_home
from aml.toolkit.platform import Platform

from .await_board import PublicBoard, await_board
from .board_folder import copy_board
from .cast import BASELINES, CONTENDERS
from .demo_outcome import BoardShown, DemoOutcome, StackShown, find_problems, system_outcome
from .take_audit import take_audit
from .verify_board import verify_board
from .walk import Guide, Walked, make_guide, walk_baseline, walk_contender

STALL_SECONDS = 45.0
_PAGE = 500


class Staging(Struct, frozen=True, kw_only=True):
    keep: bool
    board: Path | None
    """Where the board's files are copied to; None leaves them where the stack has them."""


class Performance(Struct, frozen=True, kw_only=True):
    outcome: DemoOutcome
    board: Board
    """The whole public board: in a data folder that was used before it has more rows than this demo made."""


def perform(stack: LocalStack, staging: Staging, view: ProgressView) -> Performance:
    """Raises `EvaluationError`, `PlatformError`, `LocalStackError`."""
    began = time.monotonic()
    layout = make_home(stack.layout.home)
    with _examples(layout) as examples:
        view.say(f"starting NATS, Postgres and six services in {layout.home}")
        with lease_stack(stack, keep=staging.keep) as lease:
            view.say(f"stack ready after {time.monotonic() - began:.1f} s: {lease.info.portal}")
            walked, public = asyncio.run(_walk_all(lease.info, examples, view))
            outcome = _conclude(lease.info, walked, public, staging, began, kept=lease.stays)
            return Performance(outcome=outcome, board=public.board)


async def _walk_all(
    info: StackInfo, examples: dict[str, ExampleParticipant], view: ProgressView
) -> tuple[list[Walked], PublicBoard]:
    logs = info.home / "logs"
    async with Platform(info.portal, info.operator_key_file.read_text("ascii").strip()) as operator:
        guide = await make_guide(operator, view, Patience(logs=logs, stall_seconds=STALL_SECONDS))
        version = await _next_version(operator)
        walked = await _side_by_side(guide, examples, version)
        jobs = frozenset(each.full.job_id for each in walked)
        public = await await_board(guide.public, jobs, logs)
        for each in walked:
            view.finish(each.system, f"on the board, {each.full_job.counts.scored:,} questions scored")
    return walked, public


async def _side_by_side(guide: Guide, examples: dict[str, ExampleParticipant], version: str) -> list[Walked]:
    """The first failure ends all: there is no use in a board of which one knows that something is missing."""
    tasks: list[asyncio.Task[Walked]] = []
    try:
        async with asyncio.TaskGroup() as group:
            for contender in CONTENDERS:
                endpoints = endpoints_at(examples[contender.example].base_url)
                tasks.append(group.create_task(walk_contender(guide, contender, endpoints, version=version)))
            tasks += [group.create_task(walk_baseline(guide, each, version=version)) for each in BASELINES]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


async def _next_version(operator: Platform) -> str:
    """The demo's systems in a data folder that was used before: a version has one result under a release."""
    seen = {job.version for job in (await operator.jobs(limit=_PAGE)).jobs if job.arm != "participant"}
    return str(1 + max((int(version) for version in seen if version.isdecimal()), default=0))


def _conclude(
    info: StackInfo, walked: list[Walked], public: PublicBoard, staging: Staging, began: float, *, kept: bool
) -> DemoOutcome:
    key = read_verifier(Layout(info.home).verifier_file)
    verified = verify_board(public, key, {each.full.job_id: each.full for each in walked})
    rows: dict[str, BoardRow] = {row.job_id: row for row in public.board.rows}
    systems = {each.system: system_outcome(each, rows.get(each.full.job_id)) for each in walked}
    served = info.board / "current"
    folder = (served if staging.board is None else copy_board(served, staging.board)).absolute()
    files = {name: folder / name for name in ("index.html", "board.json", "board.csv")}
    audit = take_audit(info, info.home if staging.board is None else folder)
    missing = tuple(f"{path} is missing" for path in files.values() if not path.is_file())
    problems = find_problems(systems, verified) + missing
    return DemoOutcome(
        complete=not problems,
        problems=problems,
        seconds=round(time.monotonic() - began, 2),
        systems=systems,
        board=BoardShown(
            path=folder,
            index=files["index.html"],
            json=files["board.json"],
            csv=files["board.csv"],
            version=public.board.version,
            rows=len(public.board.rows),
            release_id=public.board.release_id,
        ),
        checkpoint=open_note(public.board.checkpoint, key),
        verified=verified,
        audit=audit,
        stack=StackShown(home=info.home, portal=info.portal if kept else None, kept=kept),
    )


@contextmanager
def _examples(layout: Layout) -> Iterator[dict[str, ExampleParticipant]]:
    started: dict[str, ExampleParticipant] = {}
    try:
        for contender in CONTENDERS:
            log_file = layout.log_file(f"example-{contender.example}")
            started[contender.example] = start_example(contender.example, log_file)
            check_health(endpoints_at(started[contender.example].base_url).health_url)
        yield started
    finally:
        for example in started.values():
            example.stop()
