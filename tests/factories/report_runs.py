"""Results of whole suites without a run: our own questions, answered by an agent whose memory is a seeded coin."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from random import Random

from msgspec.structs import replace
from tests.factories.suite_results import a_provenance

from aml.contracts.vocabulary import Language
from aml.toolkit.metrics.score_suite import RunFacts, score_suite
from aml.toolkit.results import EvidenceSession, FactRecord, QuestionRecord, SuiteResult, Unscored
from aml.toolkit.suites.compilation import Case, QuestionKey, compile_cases, pick_scenarios
from aml.toolkit.suites.presets import PRESETS, PresetName

Change = Callable[[QuestionRecord], QuestionRecord]


@cache
def _cases(suite: PresetName, language: Language) -> tuple[Case, ...]:
    picks = pick_scenarios(PRESETS[suite], language=language)
    return tuple(compile_cases(PRESETS[suite], picks, seed=42, language=language))


def a_suite_result(
    suite: PresetName = "standard",
    *,
    agent: str = "window of 20",
    model: str | None = "small-1",
    language: Language = "en",
    right: float = 0.8,
    unscored: float = 0.0,
    seed: int = 1,
    repeats: int = 1,
    reaches: int = 1000,
    change: Change = lambda record: record,
    **provenance: object,
) -> SuiteResult:
    """`right` and `unscored` are shares; beyond the depth `reaches` nothing is remembered."""
    chance = Random(seed)
    records = [
        change(_record(case, key, asked_on, chance, repeat, right if (key.depth or 0) <= reaches else 0.0, unscored))
        for repeat in range(repeats)
        for case in _cases(suite, language)
        for key, asked_on in _keys(case)
    ]
    weights: dict[str, float] = {category: hundredths / 100 for category, hundredths in PRESETS[suite].weights.items()}
    run = RunFacts(
        agent=agent,
        suite=suite,
        started_at="2026-01-02T03:04:05Z",
        seconds=83.25,
        model=model,
        price_per_million_tokens=0.6,
    )
    known = {
        "suite": suite,
        "language": language,
        "release_id": "toolkit",
        "job_ids": ("job-0193f2", "job-0193f3"),
        "checkpoint": "aml.example/log\n1842\nq83vEjRWeJA=\n\n— aml.example/log 5d1c0Ff3dw==\n",
        **provenance,
    }
    return score_suite(records, weights, run, a_provenance(**known))


def _keys(case: Case) -> Iterator[tuple[QuestionKey, str]]:
    for key, question in zip(case.keys, case.sample.questions, strict=True):
        assert question.asked_at is not None
        yield key, datetime.fromtimestamp(question.asked_at / 1000, UTC).date().isoformat()


def _record(
    case: Case, key: QuestionKey, asked_on: str, chance: Random, repeat: int, right: float, unscored: float
) -> QuestionRecord:
    luck, latency, tokens = chance.random(), 80 + 400 * chance.random(), chance.randint(300, 900)
    said = [luck < right or (luck < right + 0.1 and place == 0) for place in range(len(key.facts))]
    whole = sum(fact.importance for fact in key.facts)
    kept = sum(fact.importance for fact, yes in zip(key.facts, said, strict=True) if yes)
    score = round(100 * kept / whole, 2) if whole else 100.0 if luck < right else 0.0
    slip = score < 50 and luck > 0.95 and bool(key.forbidden)
    record = QuestionRecord(
        question_id=key.question_id,
        category=key.category,
        scenario=key.scenario,
        text=key.ask,
        judge=key.judge,
        reference=key.answer,
        difficulty=key.difficulty,
        depth=key.depth,
        asked_on=asked_on,
        answer=key.answer if score == 100 else f"I believe it was {key.forbidden[0][0]}." if slip else "I am not sure.",
        score=score,
        reason=f"{sum(said)} of {len(said)} facts are in the answer",
        facts=tuple(
            FactRecord(text=fact.any[0], importance=fact.importance, said=yes)
            for fact, yes in zip(key.facts, said, strict=True)
        ),
        forbidden=(key.forbidden[0][0],) if slip else (),
        evidence=tuple(_evidence(case, key)),
        latency_ms=round(latency, 1),
        prompt_tokens=tokens,
        repeat=repeat,
    )
    if chance.random() < unscored:
        why = Unscored(stage="answer", reason="participant_error", detail="the agent raised TimeoutError three times")
        return replace(record, score=None, answer=None, reason="", facts=(), forbidden=(), unscored=why)
    return record


def _evidence(case: Case, key: QuestionKey) -> Iterator[EvidenceSession]:
    for session in case.sample.sessions:
        words = [turn.content for turn in session.turns if turn.turn_id in key.evidence]
        if words:
            assert session.turns[0].timestamp is not None
            day = datetime.fromtimestamp(session.turns[0].timestamp / 1000, UTC).date().isoformat()
            yield EvidenceSession(session_id=session.session_id, on=day, excerpt="\n".join(words))
