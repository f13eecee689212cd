"""`aml suite run`: an agent's memory, evaluated from a shell or a build."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from aml.contracts.vocabulary import Language
from aml.toolkit.agents.demands import Dates, History, Mode
from aml.toolkit.evaluation.agent_choice import choose_agent
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.exit_decision import Verdict
from aml.toolkit.evaluation.progress import progress_view
from aml.toolkit.outputs import Gate, Held, KeptBaselines, conclude_suite, junit_of, markdown_of, result_lines
from aml.toolkit.plain_line import print_line
from aml.toolkit.report import write_report
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.suite import Suite
from aml.toolkit.suites.compilation import DEFAULT_SEED

from .agent_options import (
    OPERATOR_KEY_ENV,
    AgentGiven,
    AnswerSeconds,
    Concurrency,
    Datasets,
    Keep,
    KeyEnv,
    Model,
    OperatorKeyEnv,
    StackUrl,
    key_named,
    place_of,
    told_to,
)
from .exit_codes import CODES
from .interruption import interrupted_by_sigterm
from .output_file import check_output, write_whole
from .stack import DEFAULT_HOME, Home
from .terminal import make_console

_OUTPUT = "Output"


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="quick, standard, full, diagnostic or overflow.")],
    agent: AgentGiven,
    model: Model = None,
    key_env: KeyEnv = None,
    language: Annotated[Language, typer.Option("--language", help="en or zh.")] = "en",
    seed: Annotated[int, typer.Option("--seed", help="The same seed asks the same questions.")] = DEFAULT_SEED,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many scenarios a category.")] = None,
    scenarios: Annotated[
        Path | None, typer.Option("--scenarios", metavar="FOLDER", help="Your own scenarios instead of ours.")
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=1, max=100, help="Runs of the same questions.")] = 1,
    mode: Annotated[
        Mode, typer.Option("--mode", help="inject a history, or let the agent live through it.")
    ] = "inject",
    history: Annotated[History, typer.Option("--history", help="auto, text or chat.")] = "auto",
    dates: Annotated[Dates, typer.Option("--dates", help="auto, text, instants, both or none.")] = "auto",
    concurrency: Concurrency = None,
    answer_seconds: AnswerSeconds = None,
    price: Annotated[
        float | None, typer.Option("--price", min=0, help="Of a million prompt tokens, for the cost.")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option("--fail-under", min=0, max=100, help="Exit with 3 if Overall is below.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE|DIR", help="Compare with what is kept there.")
    ] = None,
    max_drop: Annotated[
        float | None, typer.Option("--max-drop", min=0, help="Exit with 3 if Overall fell by more points.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Keep this result as the baseline, once it is compared.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="An HTML page.", rich_help_panel=_OUTPUT)
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="The whole result.", rich_help_panel=_OUTPUT)
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="JUnit XML.", rich_help_panel=_OUTPUT)
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Markdown.", rich_help_panel=_OUTPUT)
    ] = None,
    home: Home = DEFAULT_HOME,
    keep: Keep = False,
    stack: StackUrl = None,
    operator_key_env: OperatorKeyEnv = OPERATOR_KEY_ENV,
    datasets: Datasets = None,
) -> None:
    """Evaluate an agent's memory with a suite.

    Exit codes: 0 pass, 1 the tool failed, 2 bad usage, 3 below --fail-under or fallen by more than --max-drop, 4 incomplete
    (something is unscored, or there is no baseline to hold the result against).
    """
    suite = Suite.named(name)
    for option, path in (("--report", report), ("--json", json), ("--junit", junit), ("--markdown", markdown)):
        check_output(option, path)
    if baseline is None and (max_drop is not None or update_baseline):
        needy = "--max-drop" if max_drop is not None else "--update-baseline"
        raise WrongUsage(needy, "needs --baseline FILE|DIR")
    kept = KeptBaselines.read(baseline)
    chosen = choose_agent(agent, folder=Path.cwd(), model=model, api_key=key_named("--key-env", key_env))
    options: dict[str, Any] = {
        "language": language,
        "seed": seed,
        "limit": limit,
        "scenarios": scenarios,
        "repeats": repeat,
        "mode": mode,
        "history": history,
        "dates": dates,
        "max_concurrency": concurrency,
        "answer_seconds": answer_seconds,
        "price_per_million_tokens": price,
        "keep_stack": keep,
        **place_of(stack, operator_key_env, datasets, home),
    }
    console = make_console()
    with interrupted_by_sigterm(), progress_view(console) as view:
        result = suite.run_sync(chosen, on_progress=told_to(view, suite.value, repeat), **options)
    held = kept.hold(result)
    verdict = conclude_suite(held, Gate(fail_under=fail_under, max_drop=max_drop))
    _write(held, verdict, kept, {"report": report, "json": json, "junit": junit, "markdown": markdown}, language)
    _print(console, held, verdict)
    if update_baseline:
        _update(console, kept, result)
    raise typer.Exit(CODES[verdict.conclusion])


def _write(
    held: Held, verdict: Verdict, kept: KeptBaselines, files: dict[str, Path | None], language: Language
) -> None:
    if (path := files["json"]) is not None:
        write_whole(path, held.result.to_json() + b"\n")
    if (path := files["junit"]) is not None:
        write_whole(path, junit_of([held], verdict))
    if (path := files["markdown"]) is not None:
        write_whole(path, markdown_of([held], verdict).encode())
    if (path := files["report"]) is not None:
        write_report([held.result], kept.beside([held.result]), path, language)


def _print(console: Console, held: Held, verdict: Verdict) -> None:
    for line in [*result_lines(held), verdict.sentence]:
        print_line(console, line)


def _update(console: Console, kept: KeptBaselines, result: SuiteResult) -> None:
    if result.complete:
        print_line(console, f"kept as the baseline {kept.save(result)}")
    else:
        print_line(console, "not kept as a baseline: an incomplete result is no measure")
