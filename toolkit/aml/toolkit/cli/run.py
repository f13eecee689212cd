"""`aml run`: a developer evaluates their own system, with no account."""

import os
import secrets
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from aml.contracts.envelope import MAX_INTEGER
from aml.toolkit.evaluation.auth_choice import choose_auth, read_key
from aml.toolkit.evaluation.dataset_choice import choose_datasets
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.evaluate import RunInterrupted, RunUnfinished, evaluate, resume
from aml.toolkit.evaluation.exit_decision import conclude
from aml.toolkit.evaluation.outcome_table import print_outcome
from aml.toolkit.evaluation.progress import progress_view
from aml.toolkit.evaluation.run_plan import RunPlan, default_label
from aml.toolkit.evaluation.system_choice import choose_system
from aml.toolkit.local import LocalStack
from aml.toolkit.plain_line import print_line

from .boundary import INTERRUPTED, CommandFailed
from .exit_codes import CODES
from .interruption import interrupted_by_sigterm
from .output_file import check_output, write_json
from .stack import DEFAULT_HOME, Home
from .terminal import make_console


def run(
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="URL|example:NAME", help="A base URL, or example:fts5, :bm25s, :nothing."),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option("--dataset", metavar="NAME[=PATH]", help="practice, locomo=PATH, longmemeval=PATH. Repeatable."),
    ] = None,
    auth: Annotated[
        str | None,
        typer.Option(
            "--auth", metavar="SCHEME:ENV_NAME", help="bearer:, token: or x-api-key: and a variable; or none."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, max=MAX_INTEGER, help="Questions of each dataset; without it all.")
    ] = None,
    sample_seed: Annotated[
        int,
        typer.Option("--sample-seed", min=-MAX_INTEGER, max=MAX_INTEGER, help="Which questions a --limit draws."),
    ] = 0,
    add_concurrency: Annotated[
        int, typer.Option("--add-concurrency", min=1, max=1024, help="Conversations written at a time.")
    ] = 8,
    search_concurrency: Annotated[
        int, typer.Option("--search-concurrency", min=1, max=1024, help="Questions searched at a time.")
    ] = 32,
    release: Annotated[str, typer.Option("--release", help="The evaluation contract to score under.")] = "practice",
    label: Annotated[str | None, typer.Option("--label", help="A name of your own for this run.")] = None,
    add_url: Annotated[str | None, typer.Option("--add-url", metavar="URL", help="Instead of BASE_URL/add.")] = None,
    search_url: Annotated[
        str | None, typer.Option("--search-url", metavar="URL", help="Instead of BASE_URL/search.")
    ] = None,
    health_url: Annotated[
        str | None, typer.Option("--health-url", metavar="URL", help="Instead of BASE_URL/health.")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the whole outcome there.")] = None,
    fail_under: Annotated[
        float | None, typer.Option("--fail-under", min=0, max=100, help="Exit with 3 if Overall is below.")
    ] = None,
    resume_id: Annotated[str | None, typer.Option("--resume", metavar="ID", help="Go on with a stored run.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the local stack running.")] = False,
    home: Home = DEFAULT_HOME,
) -> None:
    """Evaluate a memory system on this machine.

    Exit codes: 0 pass, 1 the tool failed, 2 bad usage, 3 below --fail-under, 4 incomplete (something is unscored).
    """
    check_output("--json", json)
    stack = LocalStack(home)
    console = make_console()
    try:
        with interrupted_by_sigterm(), progress_view(console) as view:
            if resume_id is not None:
                _require_alone(system, dataset)
                outcome = resume(resume_id, stack, view, keep=keep)
            else:
                plan = _plan(
                    system=system,
                    addresses=(add_url, search_url, health_url),
                    auth=auth,
                    dataset=dataset,
                    limit=limit,
                    sample_seed=sample_seed,
                    concurrency=(add_concurrency, search_concurrency),
                    release=release,
                    label=label,
                )
                outcome = evaluate(plan, stack, view, keep=keep)
    except RunInterrupted as interrupted:
        _say_how_to_resume(interrupted.job_id, home, goes_on=interrupted.goes_on)
        raise typer.Exit(INTERRUPTED) from None
    except RunUnfinished as unfinished:
        raise CommandFailed(f"{unfinished}; `{_resume_command(unfinished.job_id, home)}` goes on with it") from None
    print_outcome(console, outcome)
    write_json(json, outcome)
    verdict = conclude(outcome, fail_under)
    print_line(console, verdict.sentence)
    raise typer.Exit(CODES[verdict.conclusion])


def _plan(
    *,
    system: str | None,
    addresses: tuple[str | None, str | None, str | None],
    auth: str | None,
    dataset: list[str] | None,
    limit: int | None,
    sample_seed: int,
    concurrency: tuple[int, int],
    release: str,
    label: str | None,
) -> RunPlan:
    """Every wrong option is found here, before anything starts. Raises `WrongUsage`."""
    if system is None:
        raise WrongUsage("--system", "is missing; give http://HOST:PORT, or example:fts5")
    add_url, search_url, health_url = addresses
    chosen_auth = choose_auth(auth or "none")
    return RunPlan(
        system=choose_system(system, add_url=add_url, search_url=search_url, health_url=health_url),
        auth=chosen_auth,
        key=read_key(chosen_auth, os.environ),  # noqa: TID251 - the key's only way in; no setting may hold it
        datasets=choose_datasets(dataset or []),
        limit=limit,
        sample_seed=sample_seed,
        add_concurrency=concurrency[0],
        search_concurrency=concurrency[1],
        release_id=release,
        label=label or default_label(datetime.now(UTC), secrets.token_hex(2)),
    )


def _require_alone(system: str | None, dataset: list[str] | None) -> None:
    if system is not None or dataset:
        option = "--system" if system is not None else "--dataset"
        raise WrongUsage(option, "does not go with --resume, which finishes the run as it was begun; leave it out")


def _say_how_to_resume(job_id: str, home: Path, *, goes_on: bool) -> None:
    state = "goes on without this command" if goes_on else "is stored"
    sys.stderr.write(f"aml: interrupted; the run {state}: {_resume_command(job_id, home)}\n")


def _resume_command(job_id: str, home: Path) -> str:
    return f"aml run --resume {job_id}" + ("" if home == DEFAULT_HOME else f" --home {shlex.quote(str(home))}")
