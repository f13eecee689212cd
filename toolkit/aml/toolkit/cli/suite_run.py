"""`aml suite run`: an agent's memory, evaluated from a shell or a build."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from aml.toolkit.agents.demands import Dates, History, Mode
from aml.toolkit.evaluation.agent_choice import choose_agent
from aml.toolkit.evaluation.auth_choice import AuthChoice, read_key
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict
from aml.toolkit.evaluation.progress import ProgressView, progress_view
from aml.toolkit.outputs import Gate, Held, KeptBaselines, conclude_suite, junit_of, markdown_of, result_lines
from aml.toolkit.plain_line import print_line
from aml.toolkit.report import write_report
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.run_progress import OnProgress, RunProgress
from aml.toolkit.suite_run.suite import Suite
from aml.toolkit.suites.categories import Language
from aml.toolkit.suites.compilation import DEFAULT_SEED

from .boundary import ExitCode
from .interruption import interrupted_by_sigterm
from .output_file import check_output, write_whole
from .stack import DEFAULT_HOME, Home
from .terminal import make_console

CODES = {
    Conclusion.PASSED: ExitCode.PASS,
    Conclusion.BELOW_THRESHOLD: ExitCode.BELOW_THRESHOLD,
    Conclusion.INCOMPLETE: ExitCode.INCOMPLETE,
}
_STACK = "Stack"
_OUTPUT = "Output"


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="quick, standard, full, diagnostic or overflow.")],
    agent: Annotated[
        str,
        typer.Option("--agent", metavar="MODULE:NAME|URL", help="Your object, or an OpenAI-compatible base URL."),
    ],
    model: Annotated[str | None, typer.Option("--model", help="With a URL: the model's name there.")] = None,
    key_env: Annotated[
        str | None, typer.Option("--key-env", metavar="ENV_NAME", help="With a URL: the variable that holds its key.")
    ] = None,
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
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", min=1, max=256, help="Questions at a time, where the agent can.")
    ] = None,
    answer_seconds: Annotated[
        float | None, typer.Option("--answer-seconds", min=0.001, help="For one call to the agent.")
    ] = None,
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
    keep: Annotated[bool, typer.Option("--keep", help="Leave the local stack running.")] = False,
    stack: Annotated[
        str | None, typer.Option("--stack", metavar="URL", help="A running platform.", rich_help_panel=_STACK)
    ] = None,
    operator_key_env: Annotated[
        str, typer.Option("--operator-key-env", metavar="ENV_NAME", help="With --stack.", rich_help_panel=_STACK)
    ] = "AML_OPERATOR_KEY",
    datasets: Annotated[
        Path | None,
        typer.Option("--datasets", metavar="DIR", help="With --stack: its datasets folder.", rich_help_panel=_STACK),
    ] = None,
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
    chosen = choose_agent(agent, folder=Path.cwd(), model=model, api_key=_key("--key-env", key_env))
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
        **_place(stack, operator_key_env, datasets, home),
    }
    console = make_console()
    with interrupted_by_sigterm(), progress_view(console) as view:
        result = suite.run_sync(chosen, on_progress=_shown(view, suite.value, repeat), **options)
    held = kept.hold(result)
    verdict = conclude_suite(held, Gate(fail_under=fail_under, max_drop=max_drop))
    _write(held, verdict, kept, {"report": report, "json": json, "junit": junit, "markdown": markdown}, language)
    _print(console, held, verdict)
    if update_baseline:
        _update(console, kept, result)
    raise typer.Exit(CODES[verdict.conclusion])


def _key(option: str, variable: str | None) -> str | None:
    try:
        secret = read_key(AuthChoice(scheme="bearer", variable=variable), os.environ)  # noqa: TID251 - its only way in
    except WrongUsage as error:
        raise WrongUsage(option, error.problem) from None
    return None if secret is None else secret.reveal()


def _place(stack: str | None, key_env: str, datasets: Path | None, home: Path) -> dict[str, Any]:
    if stack is None:
        return {"home": home}
    return {"stack": stack, "operator_key": _key("--operator-key-env", key_env), "datasets": datasets}


def _shown(view: ProgressView, suite: str, repeats: int) -> OnProgress:
    def show(now: RunProgress) -> None:
        task = suite if repeats == 1 else f"{suite} {now.repeat + 1}/{repeats}"
        view.show(task, now.stage, now.done, now.total, f"{now.unscored:,} unscored" if now.unscored else "")

    return show


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
