"""`aml results`: one's own scores, failures first, what got worse, and all of it as files."""

from pathlib import Path
from typing import Annotated

import typer

from aml.toolkit.client.listing import as_json
from aml.toolkit.client.result_view import print_comparison, print_failures, print_results
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.platform import Platform, PlatformRefused
from aml.toolkit.platform.result_calls import ResultFile

from .boundary import CommandFailed, ExitCode
from .output_file import check_output, write_whole
from .platform_access import KeyFile, Limit, Offset, Url, call_with_key
from .runs import JobId
from .terminal import make_console


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

    async def show(api: Platform) -> int:
        if csv or details:
            name: ResultFile = "questions.jsonl" if details else "questions.csv" if failures else "results.csv"
            _give(await api.result_file(job_id, name, details=True if details else None), out)
            return ExitCode.PASS
        if compare is not None:
            compared = await api.comparison(job_id, compare, limit, offset)
            if json:
                _give(as_json(compared).encode() + b"\n", out)
            else:
                print_comparison(make_console(), compared)
            return ExitCode.BELOW_THRESHOLD if compared.regressions else ExitCode.PASS
        if failures:
            found = await api.questions(
                job_id, outcome, limit, offset, dataset=dataset, category=category, reason=reason, words=words
            )
            if json:
                _give(as_json(found).encode() + b"\n", out)
            else:
                print_failures(make_console(), found)
            return ExitCode.PASS
        scores = await api.results(job_id)
        if json:
            _give(as_json(scores).encode() + b"\n", out)
        else:
            print_results(make_console(), scores)
        return ExitCode.PASS

    try:
        code = call_with_key(platform, key_file, show)
    except PlatformRefused as refused:
        if refused.reason == "results_not_ready":
            raise CommandFailed(str(refused), ExitCode.INCOMPLETE) from None
        raise
    raise typer.Exit(code)


def _give(content: bytes, out: Path | None) -> None:
    if out is None:
        typer.echo(content, nl=False)
    else:
        write_whole(out, content)
