"""Private results."""

from aml.contracts.benchmark import Gold
from aml.contracts.doctor import CheckReport, DoctorReport
from aml.contracts.packs import AnswerRecord, VerdictRecord
from aml.contracts.participant import Memory
from aml.contracts.seals import (
    CategoryResult,
    DatasetResult,
    GateCheck,
    Interval,
    JobResult,
    Latencies,
    ReasonCount,
    RowSubject,
    Tally,
)
from aml.gateway.results.views import (
    CapabilityResult,
    ChangedQuestion,
    Comparison,
    DatasetMeasures,
    McNemarView,
    QuestionFile,
    QuestionRow,
    Questions,
    QuestionText,
    Results,
)

from .invented import DIGEST, EARLIER_JOB_ID, JOB_ID, KEY_ID, SEAL, UNIT, VERSION_ID
from .route_example import Conflict, RouteExample

_INTERVAL = Interval(low=623_000, high=771_000)
_TALLY = Tally(
    planned=140, scored=139, correct=97, incorrect=42, graded=0, unscored=1, score=697_842, interval=_INTERVAL
)
RESULTS = Results(
    job_id=JOB_ID,
    gate="refused",
    subject=RowSubject(
        key_id=KEY_ID,
        version_id=VERSION_ID,
        system="Recall",
        version="2.1.0",
        track="textual",
        division="open_source",
        arm="participant",
        mode="full",
        run_label="autumn, first try",
        release_id="practice",
        release_digest=DIGEST,
        allow_private=False,
    ),
    seal=SEAL,
    result=JobResult(
        overall=None,
        interval=None,
        datasets=(
            DatasetResult(
                name="practice",
                sha256=DIGEST,
                overall=_TALLY,
                all_questions=_TALLY,
                categories=(
                    CategoryResult(category="multi_hop", capability="multi_hop", in_overall=True, tally=_TALLY),
                ),
                unscored=(ReasonCount(reason="transport", questions=1),),
                evidence_recall=812_000,
            ),
        ),
        add=Latencies(calls=120, p50=84_000, p95=210_000, p99=390_000),
        search=Latencies(calls=143, p50=31_000, p95=92_000, p99=160_000),
        retries=3,
        context_tokens=161_280,
    ),
    checks=(
        GateCheck(name="mode", passed=True, code="ok", expected="full", found="full", entries=(0,)),
        GateCheck(
            name="questions", passed=False, code="unscored", expected="140 scored", found="139 scored", entries=(402,)
        ),
    ),
    capabilities=(
        CapabilityResult(capability="multi_hop", planned=140, scored=139, score=697_842, interval=_INTERVAL),
    ),
    measures=(
        DatasetMeasures(
            dataset="practice",
            searched=139,
            search_p50=31_000,
            search_p95=92_000,
            search_p99=160_000,
            answered=139,
            answer_p50=1_200,
            answer_p95=2_900,
            context_tokens=161_280,
            context_tokens_mean=1_160,
            context_tokens_p50=1_104,
            context_tokens_p95=1_910,
            returned_mean=24,
        ),
    ),
)
_QUESTION = "Which instrument did Mira learn after she moved?"
_ROW = QuestionRow(
    unit=UNIT,
    dataset="practice",
    sample="p-003",
    item=7,
    category="multi_hop",
    outcome="incorrect",
    score=0,
    rule="rule_judge",
    evidence_recall=500_000,
    stage=None,
    reason=None,
    detail=None,
    returned=24,
    search_attempts=1,
    search_micros=29_400,
    context_items=24,
    prompt_tokens=1_094,
    answer_micros=1_150,
    answer_calls=0,
    judge_calls=0,
    question=_QUESTION,
)
_NOT_READY = Conflict(
    "results_not_ready", "this job is running; its results come when the ledger has sealed and judged it"
)
_CSV = (
    "unit,dataset,sample,item,category,outcome,score\r\npractice/p-003/q-07,practice,p-003,7,multi_hop,incorrect,0\r\n"
)

EXAMPLES = {
    "read_results": RouteExample(
        about="Scores in millionths, latencies in microseconds. A score is null, never 0, where nothing was scored, and"
        " Overall is null until every planned question has an outcome.",
        answer=RESULTS,
        conflicts=(_NOT_READY,),
    ),
    "read_questions": RouteExample(
        about="`failures_first` puts what has no outcome before what is wrong, and that before what is right. Filters"
        " narrow; `total` counts what they leave.",
        answer=Questions(total=43, questions=(_ROW,)),
        invalid=("outcome", "not one of the allowed values"),
    ),
    "read_question": RouteExample(
        about="`gold` only where the release shows it; elsewhere the verdict's reason leaves out what would tell it.",
        answer=QuestionFile(
            job_id=JOB_ID,
            row=_ROW,
            evidence="kept",
            question=QuestionText(
                question_id="q-07",
                text=_QUESTION,
                options=(),
                category="multi_hop",
                capability="multi_hop",
                in_overall=True,
                asked_at=None,
            ),
            memories=(Memory(id="m-118", content="Mira moved to Turku in March.", score=0.83),),
            answer=AnswerRecord(text="Mira moved to Turku in March.", answerer="extractive"),
            verdict=VerdictRecord(rule="rule_judge", score=0, reason="the answer names no instrument"),
            attempts=None,
            gold_shown=True,
            gold=Gold(question_id="q-07", answers=("the cello",), evidence=("t-51", "t-88")),
        ),
    ),
    "compare_runs": RouteExample(
        about="Only datasets whose bytes both runs share are compared. `mcnemar` is the exact paired test on what both"
        " answered right or wrong.",
        answer=Comparison(
            job_id=JOB_ID,
            with_job_id=EARLIER_JOB_ID,
            datasets=("practice",),
            same_release=True,
            common=140,
            scored_in_both=139,
            regressions=1,
            improvements=9,
            unscored_now=1,
            unscored_before=0,
            mcnemar=McNemarView(pairs=139, both_right=88, only_before=1, only_now=9, both_wrong=41, p_value=21_484),
            regressed=(
                ChangedQuestion(
                    unit=UNIT,
                    dataset="practice",
                    sample="p-003",
                    item=7,
                    category="multi_hop",
                    before_outcome="correct",
                    before_score=1_000_000,
                    outcome="incorrect",
                    score=0,
                    question=_QUESTION,
                ),
            ),
        ),
        invalid=("with", "is this very job; name another one"),
    ),
    "results_json": RouteExample(answer=RESULTS, conflicts=(_NOT_READY,)),
    "results_csv": RouteExample(
        answer="scope,dataset,name,capability,in_overall,planned,scored,correct,incorrect,graded,unscored,score,low,high\r\n"
        "dataset,practice,,,True,140,139,97,42,0,1,0.697842,0.623000,0.771000\r\n",
        conflicts=(_NOT_READY,),
    ),
    "questions_jsonl": RouteExample(
        about="With `details` each line is all that is kept of the question: its text, the memories, the answer and the"
        " verdict.",
        answer='{"unit":"2a4a03d4c11d7c1ec389","dataset":"practice","outcome":"incorrect","score":0}\n',
    ),
    "questions_csv": RouteExample(answer=_CSV),
    "read_contract_report": RouteExample(
        about="Of a smoke run. `aml check` finds the same on your own machine.",
        answer=DoctorReport(
            contract="cycle-2",
            track="textual",
            run="c8d1",
            started=1_788_768_000_000,
            took=4_120_000,
            passed=True,
            checks=(
                CheckReport(
                    name="add_echo",
                    title="Add returns the three ids",
                    outcome="passed",
                    code="ok",
                    finding="All three ids came back as they were sent.",
                    sent="POST /v1/add",
                    received="200",
                    why="Facts are matched by them.",
                    mend="",
                    calls=1,
                    latency=84_000,
                    took=85_000,
                ),
            ),
        ),
    ),
}
