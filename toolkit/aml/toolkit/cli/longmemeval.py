"""`aml longmemeval`: what a sample would hold, and an agent's run of it."""

import os
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from aml.toolkit.evaluation.agent_choice import choose_agent
from aml.toolkit.evaluation.auth_choice import AuthChoice, read_key
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.progress import ProgressView, progress_view
from aml.toolkit.longmemeval.composition import Composition, compose
from aml.toolkit.longmemeval.long_mem_eval import LongMemEval, RunKeywords
from aml.toolkit.longmemeval.options import DEFAULT_SEED, LongMemEvalOptions
from aml.toolkit.longmemeval.oracle import OracleOptions
from aml.toolkit.longmemeval.result import LongMemEvalResult, PairedResult
from aml.toolkit.longmemeval.sampling import Selection
from aml.toolkit.longmemeval.shown import paired_lines, result_lines
from aml.toolkit.plain_line import print_line
from aml.toolkit.suite_run.run_progress import OnProgress, RunProgress

from .boundary import ExitCode
from .interruption import interrupted_by_sigterm
from .output_file import check_output, write_json, write_whole
from .stack import DEFAULT_HOME, Home
from .terminal import make_console

app = typer.Typer(help="LongMemEval: samples of it, and an agent's run.", no_args_is_help=True)

_SAMPLE, _HISTORY, _JUDGE, _ANSWER, _STACK = "Sample", "History", "Judge", "Answers and provenance", "Stack"
_STRUCT = LongMemEvalOptions()


def _option(name: str, panel: str, told: str, **more: Any) -> Any:
    return typer.Option(name, help=told, rich_help_panel=panel, **more)


_Dataset = Annotated[
    Path, typer.Option("--dataset", metavar="FILE", help="longmemeval_s_cleaned.json, or a file of its schema.")
]
_Questions = Annotated[int | None, _option("--max-questions", _SAMPLE, "Without it all.", min=1)]
_Stratified = Annotated[bool, _option("--stratified/--not-stratified", _SAMPLE, "In proportion to the types.")]
_Seed = Annotated[int, _option("--random-seed", _SAMPLE, "The same seed asks the same questions.")]
_Types = Annotated[list[str] | None, _option("--question-type", _SAMPLE, "Only this one. Repeatable.", metavar="TYPE")]
_Abstention = Annotated[
    str, _option("--abstention-policy", _SAMPLE, "as_sampled, exclude, only or target_proportion.", metavar="POLICY")
]
_Share = Annotated[float | None, _option("--abstention-target-proportion", _SAMPLE, "The wanted share, 0 to 1.")]


class SampleShown(msgspec.Struct, frozen=True, kw_only=True):
    available: int
    requested: int
    shortfall: int
    composition: Composition
    ids: tuple[str, ...]


@app.command("sample")
def sample(
    dataset: _Dataset,
    max_questions: _Questions = None,
    stratified: _Stratified = True,
    random_seed: _Seed = DEFAULT_SEED,
    question_type: _Types = None,
    abstention_policy: _Abstention = "as_sampled",
    abstention_target_proportion: _Share = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Ids and counts.")] = None,
) -> None:
    """Show which questions a run would ask. Nothing runs.

    Exit codes: 0 done, 2 bad usage, 4 the sample is shorter than asked for.
    """
    check_output("--json", json)
    options = LongMemEvalOptions.of(
        max_questions=max_questions,
        stratified_sampling=stratified,
        random_seed=random_seed,
        include_question_types=tuple(question_type) if question_type else None,
        abstention_policy=abstention_policy,
        abstention_target_proportion=abstention_target_proportion,
    )
    drawn = LongMemEval(dataset, options).sample()
    shown = SampleShown(
        available=drawn.available,
        requested=drawn.requested,
        shortfall=drawn.shortfall,
        composition=compose(drawn.questions, drawn, abstention_target_proportion),
        ids=drawn.ids,
    )
    write_json(json, shown)
    for line in _sample_lines(drawn, shown.composition):
        typer.echo(line)
    raise typer.Exit(ExitCode.INCOMPLETE if shown.shortfall else ExitCode.PASS)


@app.command("run")
def run(
    dataset: _Dataset,
    agent: Annotated[
        str,
        typer.Option("--agent", metavar="MODULE:NAME|URL", help="Your object, or an OpenAI-compatible base URL."),
    ],
    model: Annotated[str | None, typer.Option("--model", help="With a URL: the model's name there.")] = None,
    key_env: Annotated[
        str | None, typer.Option("--key-env", metavar="ENV_NAME", help="With a URL: the variable that holds its key.")
    ] = None,
    arm: Annotated[str, typer.Option("--arm", help="agent, oracle, or paired: both on the same questions.")] = "agent",
    distractor_sessions: Annotated[int, typer.Option("--distractor-sessions", min=0, help="Oracle arm.")] = 0,
    gold_session_fraction: Annotated[float, typer.Option("--gold-session-fraction", help="Oracle arm.")] = 1.0,
    max_questions: _Questions = None,
    stratified: _Stratified = True,
    random_seed: _Seed = DEFAULT_SEED,
    question_type: _Types = None,
    abstention_policy: _Abstention = "as_sampled",
    abstention_target_proportion: _Share = None,
    history_injection_mode: Annotated[
        str, _option("--history", _HISTORY, "auto, text_blob or structured_chat_history.", metavar="MODE")
    ] = _STRUCT.history_injection_mode,
    preserve_session_boundaries: Annotated[
        bool, _option("--session-boundaries/--no-session-boundaries", _HISTORY, "Tell where a session begins.")
    ] = True,
    include_timestamps: Annotated[bool, _option("--timestamps/--no-timestamps", _HISTORY, "Dates in the text.")] = True,
    synthetic_turn_marker: Annotated[
        str | None, _option("--synthetic-turn-marker", _HISTORY, "Before every turn of ours.", metavar="TEXT")
    ] = None,
    temporal_grounding: Annotated[
        str, _option("--temporal-grounding", _HISTORY, "none, timestamps_and_text, timestamps_only.", metavar="MODE")
    ] = _STRUCT.temporal_grounding,
    judge_failure_policy: Annotated[
        str,
        _option(
            "--judge-failure-policy",
            _JUDGE,
            "retry_then_inconclusive, retry_then_incorrect or fail_run.",
            metavar="POLICY",
        ),
    ] = _STRUCT.judge_failure_policy,
    max_judge_retries: Annotated[int | None, _option("--max-judge-retries", _JUDGE, "0 to 3.")] = None,
    judge_temperature: Annotated[float | None, _option("--judge-temperature", _JUDGE, "0 to 2.")] = None,
    judge_max_output_tokens: Annotated[int | None, _option("--judge-max-output-tokens", _JUDGE, "16 or more.")] = None,
    judge_verdict_protocol: Annotated[
        str, _option("--judge-verdict-protocol", _JUDGE, "structured_json or free_text.", metavar="PROTOCOL")
    ] = _STRUCT.judge_verdict_protocol,
    judge_evidence_mode: Annotated[
        str, _option("--judge-evidence", _JUDGE, "none, outcome, explanation or raw.", metavar="MODE")
    ] = _STRUCT.judge_evidence_mode,
    judge_decomposition: Annotated[
        str,
        _option(
            "--judge-decomposition",
            _JUDGE,
            "none, per_predicate_all_must_hold or per_predicate_majority.",
            metavar="MODE",
        ),
    ] = _STRUCT.judge_decomposition,
    answer_temperature: Annotated[float | None, _option("--answer-temperature", _ANSWER, "0 to 2.")] = None,
    answer_seed: Annotated[int | None, _option("--answer-seed", _ANSWER, "0 or more.")] = None,
    evidence_capture: Annotated[
        str, _option("--evidence", _ANSWER, "none, references or full.", metavar="MODE")
    ] = _STRUCT.evidence_capture,
    run_provenance: Annotated[
        str, _option("--provenance", _ANSWER, "none, prompts_only or full.", metavar="MODE")
    ] = _STRUCT.run_provenance,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", min=1, max=256, help="Questions at a time, where the agent can.")
    ] = None,
    answer_seconds: Annotated[
        float | None, typer.Option("--answer-seconds", min=0.001, help="For one call to the agent.")
    ] = None,
    release: Annotated[str | None, typer.Option("--release", help="The evaluation contract to score under.")] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="The whole result.")] = None,
    fail_under: Annotated[
        float | None, typer.Option("--fail-under", min=0, max=100, help="Exit with 3 if the accuracy is below.")
    ] = None,
    home: Home = DEFAULT_HOME,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the local stack running.")] = False,
    stack: Annotated[str | None, _option("--stack", _STACK, "A running platform.", metavar="URL")] = None,
    operator_key_env: Annotated[
        str, _option("--operator-key-env", _STACK, "With --stack.", metavar="ENV_NAME")
    ] = "AML_OPERATOR_KEY",
    datasets: Annotated[
        Path | None, _option("--datasets", _STACK, "With --stack: its datasets folder.", metavar="DIR")
    ] = None,
) -> None:
    """Run LongMemEval with an agent.

    Exit codes: 0 pass, 1 the tool failed, 2 bad usage, 3 below --fail-under, 4 incomplete (a question has no verdict).
    """
    given = locals()
    check_output("--json", json)
    if arm not in ("agent", "oracle", "paired"):
        raise WrongUsage("--arm", f"is {arm!r}; give agent, oracle or paired")
    benchmark = LongMemEval(dataset, _options(given))
    oracle = OracleOptions(distractor_sessions=distractor_sessions, gold_session_fraction=gold_session_fraction)
    if arm == "agent" and oracle != OracleOptions():
        raise WrongUsage("--arm", "agent has no oracle to give distractors or fewer sessions; choose oracle or paired")
    chosen = choose_agent(agent, folder=Path.cwd(), model=model, api_key=_key("--key-env", key_env))
    where = RunKeywords(keep_stack=keep, release=release, answer_seconds=answer_seconds, max_concurrency=concurrency)
    if stack is None:
        where["home"] = home
    else:
        where["stack"], where["datasets"] = stack, datasets
        where["operator_key"] = _key("--operator-key-env", operator_key_env)
    console = make_console()
    with interrupted_by_sigterm(), progress_view(console) as view:
        where["on_progress"] = _shown(view)
        outcome: LongMemEvalResult | PairedResult
        if arm == "paired":
            outcome = benchmark.run_paired_sync(chosen, oracle=oracle, **where)
        elif arm == "oracle":
            outcome = benchmark.run_oracle_sync(chosen, oracle, **where)
        else:
            outcome = benchmark.run_sync(chosen, **where)
    if json is not None:
        write_whole(json, outcome.to_json() + b"\n")
    lines = paired_lines(outcome) if isinstance(outcome, PairedResult) else result_lines(outcome)
    code, sentence = _conclude(outcome, fail_under)
    for line in [*lines, sentence]:
        print_line(console, line)
    raise typer.Exit(code)


def _options(given: dict[str, Any]) -> LongMemEvalOptions:
    """Raises `OptionInvalid`."""
    named = {name: given[name] for name in LongMemEvalOptions.__struct_fields__ if name in given}
    types = given["question_type"]
    return LongMemEvalOptions(
        **named,
        stratified_sampling=given["stratified"],
        include_question_types=tuple(types) if types else None,
    )


def _conclude(outcome: LongMemEvalResult | PairedResult, fail_under: float | None) -> tuple[ExitCode, str]:
    """Incomplete wins over a threshold: a score over fewer questions than selected is none to hold against one."""
    arms = [outcome.agent, outcome.oracle] if isinstance(outcome, PairedResult) else [outcome]
    for each in arms:
        if not each.complete:
            left = each.counts.inconclusive + each.counts.agent_failure
            return (
                ExitCode.INCOMPLETE,
                f"{left} of {each.counts.selected} questions of the {each.arm} arm have no verdict",
            )
    accuracy = arms[0].overall_accuracy
    if fail_under is not None and (accuracy is None or accuracy < fail_under):
        return ExitCode.BELOW_THRESHOLD, f"{accuracy or 0:.2f} % is below {fail_under:g}"
    return ExitCode.PASS, f"every one of {arms[0].counts.selected} questions has a verdict"


def _sample_lines(drawn: Selection, composition: Composition) -> list[str]:
    lines = [f"{composition.questions} of {drawn.available} questions, {composition.abstention} of them abstention"]
    lines += [
        f"  {name}: {counts.questions}, {counts.abstention} of them abstention"
        for name, counts in composition.by_type.items()
    ]
    if drawn.shortfall:
        lines.append(
            f"{drawn.shortfall} fewer than the {drawn.requested} asked for: the dataset has no more of that kind"
        )
    return lines


def _key(option: str, variable: str | None) -> str | None:
    try:
        secret = read_key(AuthChoice(scheme="bearer", variable=variable), os.environ)  # noqa: TID251 - its only way in
    except WrongUsage as error:
        raise WrongUsage(option, error.problem) from None
    return None if secret is None else secret.reveal()


def _shown(view: ProgressView) -> OnProgress:
    def show(now: RunProgress) -> None:
        view.show("longmemeval", now.stage, now.done, now.total, f"{now.unscored:,} unscored" if now.unscored else "")

    return show
