"""`aml results`: one's own scores, failures first, what got worse, and all of it as files."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console

from aml.toolkit.client.listing import as_json
from aml.toolkit.client.result_view import print_comparison, print_failures, print_results
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.platform import Platform, PlatformRefused
from aml.toolkit.platform.result_calls import ResultFile

from .boundary import CommandFailed, ExitCode
from .job_options import JobId
from .output_file import check_output, write_whole
from .platform_access import KeyFile, Limit, Offset, Url, call_with_key
from .spoken_answer import tell

A = TypeVar("A")


def results(
    job_id: JobId,
    failures: Annotated[
        bool, typer.Option("--failures", help="The questions, those without a right answer first.")
    ] = False,
    compare: Annotated[
        str | None, typer.Option("--compare", metavar="JOB", help="What got worse since that earlier run of yours.")
    ] = None,
    outcome: Annotated[
        str | None, typer.Option("--outcome", help="With --failures: correct, incorrect, graded or unscored.")
    ] = None,
    dataset: Annotated[str | None, typer.Option("--dataset", help="With --failures: of one dataset.")] = None,
    category: Annotated[str | None, typer.Option("--category", help="With --failures: of one category.")] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="With --failures: unscored for this reason.")] = None,
    words: Annotated[str | None, typer.Option("--words", help="With --failures: with these words.")] = None,
    limit: Limit = 30,
    offset: Offset = 0,
    csv: Annotated[bool, typer.Option("--csv", help="As CSV: the scores, or every question with --failures.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="As JSON: the scores, what is asked for, or their like.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="JSON lines of every question: its text, memories, answer and verdict.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write there instead of printing.")] = None,
    platform: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Show a run's results; only your own key sees them.

    Exit codes: 0 shown, 2 bad usage or refused, 3 something got worse (--compare), 4 not ready yet.
    """
    forms = sum((csv, json, details))
    if forms > 1 or (csv and compare is not None) or (failures and compare is not None):
        raise WrongUsage("--failures, --compare, --csv, --json, --details", "do not go together like that")
    if out is not None and not forms:
        raise WrongUsage("--out", "needs --csv, --json or --details, which say what the file holds")
    check_output("--out", out)

    async def show(api: Platform) -> ExitCode:
        if csv or details:
            name: ResultFile = "questions.jsonl" if details else "questions.csv" if failures else "results.csv"
            _write(await api.result_file(job_id, name, details=True if details else None), out)
        elif compare is not None:
            compared = await api.comparison(job_id, compare, limit, offset)
            _give(compared, print_comparison, out, json=json)
            return ExitCode.BELOW_THRESHOLD if compared.regressions else ExitCode.PASS
        elif failures:
            found = await api.questions(
                job_id, outcome, limit, offset, dataset=dataset, category=category, reason=reason, words=words
            )
            _give(found, print_failures, out, json=json)
        else:
            _give(await api.results(job_id), print_results, out, json=json)
        return ExitCode.PASS

    raise typer.Exit(_once_ready(lambda: call_with_key(platform, key_file, show)))


def _once_ready(look: Callable[[], ExitCode]) -> ExitCode:
    """Raises `CommandFailed`, incomplete, where the run has no results yet."""
    try:
        return look()
    except PlatformRefused as refused:
        if refused.reason == "results_not_ready":
            raise CommandFailed(str(refused), ExitCode.INCOMPLETE) from None
        raise


def _give(answer: A, table: Callable[[Console, A], None], out: Path | None, *, json: bool) -> None:
    if json and out is not None:
        write_whole(out, as_json(answer).encode() + b"\n")
    else:
        tell(answer, table, json=json)


def _write(content: bytes, out: Path | None) -> None:
    if out is None:
        typer.echo(content, nl=False)
    else:
        write_whole(out, content)
