"""`aml longmemeval run`: LongMemEval with an agent."""

from pathlib import Path
from typing import Annotated, Any

import typer

from aml.toolkit.evaluation.agent_choice import choose_agent
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.progress import progress_view
from aml.toolkit.longmemeval.conclusion import conclude_longmemeval
from aml.toolkit.longmemeval.long_mem_eval import LongMemEval, RunKeywords
from aml.toolkit.longmemeval.options import DEFAULT_SEED, LongMemEvalOptions
from aml.toolkit.longmemeval.oracle import OracleOptions
from aml.toolkit.longmemeval.result import LongMemEvalResult, PairedResult
from aml.toolkit.longmemeval.shown import paired_lines, result_lines
from aml.toolkit.plain_line import print_line

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
from .longmemeval_options import (
    Abstention,
    AnswerSeed,
    AnswerTemperature,
    Arm,
    Dataset,
    DistractorSessions,
    EvidenceCapture,
    GoldSessionFraction,
    HistoryInjectionMode,
    IncludeTimestamps,
    JudgeDecomposition,
    JudgeEvidenceMode,
    JudgeFailurePolicy,
    JudgeMaxOutputTokens,
    JudgeTemperature,
    JudgeVerdictProtocol,
    MaxJudgeRetries,
    PreserveSessionBoundaries,
    Questions,
    RunProvenance,
    Seed,
    Share,
    Stratified,
    SyntheticTurnMarker,
    TemporalGrounding,
    Types,
)
from .output_file import check_output, write_whole
from .stack import DEFAULT_HOME, Home
from .terminal import make_console

_STANDARD = LongMemEvalOptions()


def run(
    dataset: Dataset,
    agent: AgentGiven,
    model: Model = None,
    key_env: KeyEnv = None,
    arm: Arm = "agent",
    distractor_sessions: DistractorSessions = 0,
    gold_session_fraction: GoldSessionFraction = 1.0,
    max_questions: Questions = None,
    stratified: Stratified = True,
    random_seed: Seed = DEFAULT_SEED,
    question_type: Types = None,
    abstention_policy: Abstention = "as_sampled",
    abstention_target_proportion: Share = None,
    history_injection_mode: HistoryInjectionMode = _STANDARD.history_injection_mode,
    preserve_session_boundaries: PreserveSessionBoundaries = True,
    include_timestamps: IncludeTimestamps = True,
    synthetic_turn_marker: SyntheticTurnMarker = None,
    temporal_grounding: TemporalGrounding = _STANDARD.temporal_grounding,
    judge_failure_policy: JudgeFailurePolicy = _STANDARD.judge_failure_policy,
    max_judge_retries: MaxJudgeRetries = None,
    judge_temperature: JudgeTemperature = None,
    judge_max_output_tokens: JudgeMaxOutputTokens = None,
    judge_verdict_protocol: JudgeVerdictProtocol = _STANDARD.judge_verdict_protocol,
    judge_evidence_mode: JudgeEvidenceMode = _STANDARD.judge_evidence_mode,
    judge_decomposition: JudgeDecomposition = _STANDARD.judge_decomposition,
    answer_temperature: AnswerTemperature = None,
    answer_seed: AnswerSeed = None,
    evidence_capture: EvidenceCapture = _STANDARD.evidence_capture,
    run_provenance: RunProvenance = _STANDARD.run_provenance,
    concurrency: Concurrency = None,
    answer_seconds: AnswerSeconds = None,
    release: Annotated[str | None, typer.Option("--release", help="The evaluation contract to score under.")] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="The whole result.")] = None,
    fail_under: Annotated[
        float | None, typer.Option("--fail-under", min=0, max=100, help="Exit with 3 if the accuracy is below.")
    ] = None,
    home: Home = DEFAULT_HOME,
    keep: Keep = False,
    stack: StackUrl = None,
    operator_key_env: OperatorKeyEnv = OPERATOR_KEY_ENV,
    datasets: Datasets = None,
) -> None:
    """Run LongMemEval with an agent.

    Exit codes: 0 pass, 1 the tool failed, 2 bad usage, 3 below --fail-under, 4 incomplete (a question has no verdict).
    """
    check_output("--json", json)
    options = LongMemEvalOptions.of(
        max_questions=max_questions,
        stratified_sampling=stratified,
        random_seed=random_seed,
        include_question_types=tuple(question_type) if question_type else None,
        abstention_policy=abstention_policy,
        abstention_target_proportion=abstention_target_proportion,
        history_injection_mode=history_injection_mode,
        preserve_session_boundaries=preserve_session_boundaries,
        include_timestamps=include_timestamps,
        synthetic_turn_marker=synthetic_turn_marker,
        temporal_grounding=temporal_grounding,
        judge_failure_policy=judge_failure_policy,
        max_judge_retries=max_judge_retries,
        judge_temperature=judge_temperature,
        judge_max_output_tokens=judge_max_output_tokens,
        judge_verdict_protocol=judge_verdict_protocol,
        judge_evidence_mode=judge_evidence_mode,
        judge_decomposition=judge_decomposition,
        answer_temperature=answer_temperature,
        answer_seed=answer_seed,
        evidence_capture=evidence_capture,
        run_provenance=run_provenance,
    )
    if arm not in ("agent", "oracle", "paired"):
        raise WrongUsage("--arm", f"is {arm!r}; give agent, oracle or paired")
    benchmark = LongMemEval(dataset, options)
    oracle = OracleOptions(distractor_sessions=distractor_sessions, gold_session_fraction=gold_session_fraction)
    if arm == "agent" and oracle != OracleOptions():
        raise WrongUsage("--arm", "agent has no oracle to give distractors or fewer sessions; choose oracle or paired")
    chosen = choose_agent(agent, folder=Path.cwd(), model=model, api_key=key_named("--key-env", key_env))
    place = place_of(stack, operator_key_env, datasets, home)
    console = make_console()
    with interrupted_by_sigterm(), progress_view(console) as view:
        where = RunKeywords(
            **place,
            keep_stack=keep,
            release=release,
            answer_seconds=answer_seconds,
            max_concurrency=concurrency,
            on_progress=told_to(view, "longmemeval"),
        )
        outcome = _run_arm(benchmark, arm, chosen, oracle, where)
    if json is not None:
        write_whole(json, outcome.to_json() + b"\n")
    lines = paired_lines(outcome) if isinstance(outcome, PairedResult) else result_lines(outcome)
    verdict = conclude_longmemeval(outcome, fail_under)
    for line in [*lines, verdict.sentence]:
        print_line(console, line)
    raise typer.Exit(CODES[verdict.conclusion])


def _run_arm(
    benchmark: LongMemEval, arm: str, agent: Any, oracle: OracleOptions, where: RunKeywords
) -> LongMemEvalResult | PairedResult:
    if arm == "paired":
        return benchmark.run_paired_sync(agent, oracle=oracle, **where)
    if arm == "oracle":
        return benchmark.run_oracle_sync(agent, oracle, **where)
    return benchmark.run_sync(agent, **where)
