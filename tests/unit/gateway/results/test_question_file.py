"""One question whole: what it came to, and what is shown where gold is kept back or the evidence is gone."""

from typing import Any, cast

import pytest
from tests.factories.gateway_rows import a_question

from aml.contracts.benchmark import Gold, Question
from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event
from aml.contracts.packs import AnswerRecord, GoldPack, QuestionPack, VerdictRecord
from aml.contracts.participant import Attempt, AttemptLog, Memory
from aml.contracts.units import AnswerGenerated, SearchReturned
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.gateway.errors import Unavailable
from aml.gateway.results.question_file import QuestionReader
from aml.gateway.results.views import QuestionFile
from aml.rules.identity import subject_of
from aml.runtime.evidence import EvidenceCorrupt, EvidenceDestroyed, EvidenceUnavailable

PLACE: dict[str, Any] = {"at": 1, "job_id": "j", "unit": "u0", "sample": "s1", "index": 0, "dataset": "d"}
QUESTION = Question(
    question_id="q", text="Where?", question_type="t", category="c", capability="fact_recall", in_overall=True
)
VERDICT = VerdictRecord(rule="llm_judge", score=0, reason="not Lisbon", judge_reply="Lisbon was asked for")
ATTEMPTS = AttemptLog(
    call="search",
    attempts=(Attempt(number=1, started_ms=1, latency_us=2, status=None, bytes_read=0, layer="connect"),),
)


def a_ref(name: str) -> EvidenceRef:
    return EvidenceRef(digest=name[0] * 64, size=1, media_type="application/json")


SEARCHED = SearchReturned(**PLACE, returned=1, memories=a_ref("a"), attempts=1, latency=1, received=1, attempt_log=None)
ANSWERED = AnswerGenerated(
    **PLACE, answer=a_ref("b"), answerer="x", context_items=1, prompt_tokens=1, completion_tokens=1, primary_calls=1,
    retry_calls=0, system_fingerprint=None, latency=1,
)  # fmt: skip
SCORED = AnswerScored(
    **PLACE, category="c", capability="fact_recall", outcome="incorrect", score=0, in_overall=True, rule="llm_judge",
    verdict=a_ref("c"), evidence_recall=None, primary_calls=1, retry_calls=0,
)  # fmt: skip
UNSCORED = UnitUnscored(
    **PLACE, category="c", stage="retrieval", reason="transport", detail="refused", attempts=1, attempt_log=a_ref("d")
)
STORED = {
    a_ref("a").digest: (Memory(id="m", content="she went"),),
    a_ref("b").digest: AnswerRecord(text="Porto", answerer="x"),
    a_ref("c").digest: VERDICT,
    a_ref("d").digest: ATTEMPTS,
}


class FakeBus:
    def __init__(self, *events: Event) -> None:
        self.events = {subject_of(event): event for event in events}

    async def last_event(self, subject: str) -> Event | None:
        return self.events.get(subject)


class FakeEvidence:
    failure: Exception | None = None

    async def open_json(self, _job: str, _event: str, ref: EvidenceRef, _shape: Any) -> Any:
        if self.failure is not None:
            raise self.failure
        return STORED[ref.digest]


class FakePacks:
    async def questions(self, _job: str, _sample: str) -> QuestionPack:
        return QuestionPack(questions=(QUESTION,), units=("u0",))

    async def gold(self, _job: str, _sample: str) -> GoldPack:
        return GoldPack(gold=(Gold(question_id="q", answers=("Lisbon",)),), evidence_texts=((),))


async def read(*events: Event, show_gold: bool = False, failure: Exception | None = None) -> QuestionFile:
    evidence = FakeEvidence()
    evidence.failure = failure
    reader = QuestionReader(
        bus=cast("Any", FakeBus(*events)), evidence=cast("Any", evidence), packs=cast("Any", FakePacks())
    )
    return await reader.read("j", a_question(), show_gold=show_gold)


async def test_gold_is_shown_only_where_the_release_allows_it() -> None:
    hidden = await read(SEARCHED, ANSWERED, SCORED)
    shown = await read(SEARCHED, ANSWERED, SCORED, show_gold=True)

    assert (hidden.gold, hidden.gold_shown) == (None, False)
    assert hidden.verdict is not None
    assert (hidden.verdict.reason, hidden.verdict.judge_reply) == ("judged incorrect", None)
    assert shown.gold is not None
    assert (shown.gold.answers, shown.verdict) == (("Lisbon",), VERDICT)
    assert hidden.answer == shown.answer == AnswerRecord(text="Porto", answerer="x")
    assert hidden.memories == (Memory(id="m", content="she went"),)


async def test_a_question_without_an_outcome_shows_its_calls() -> None:
    found = await read(UNSCORED)

    assert (found.attempts, found.verdict, found.answer, found.memories) == (ATTEMPTS, None, None, None)
    assert found.question is not None
    assert found.question.text == "Where?"


@pytest.mark.parametrize(
    ("failure", "evidence"), [(EvidenceDestroyed("j"), "destroyed"), (EvidenceCorrupt("j", "a"), "corrupt")]
)
async def test_evidence_that_is_gone_is_said(failure: Exception, evidence: str) -> None:
    found = await read(SEARCHED, failure=failure)

    assert (found.evidence, found.memories, found.row) == (evidence, None, a_question())


async def test_evidence_that_is_away_is_asked_for_again() -> None:
    with pytest.raises(Unavailable) as refused:
        await read(SEARCHED, failure=EvidenceUnavailable("path", "gone"))

    assert refused.value.reason == "evidence_unavailable"
