"""The fact is stated once a (release, code): at the start for rules, before a full run's first score for models."""

import asyncio
from typing import Any, cast

import pytest
from msgspec.structs import replace
from tests.factories.events import an_event
from tests.factories.judging import a_release

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.events import Event, decode_event
from aml.contracts.jobs import JobRequested
from aml.contracts.release import Calibration, ScoringRule
from aml.judge.calibration.calibrate_once import Calibrations
from aml.judge.calibration.calibration_set import load_set
from aml.judge.errors import ModelUnavailable, ReleaseGap
from aml.rules.identity import subject_of
from aml.runtime.clock import FixedClock
from aml.runtime.release_folder import LoadedRelease

PINNED = load_set("answers-1")
DEMAND = Calibration(answers="answers-1", sha256=PINNED.sha256, threshold=0)
FULL, SMOKE = an_event(JobRequested, mode="full"), an_event(JobRequested, mode="smoke")


class Stream:
    """The stream's memory, and its refusal of a second fact on a subject."""

    def __init__(self) -> None:
        self.facts: dict[str, Event] = {}
        self.reads = 0

    async def last_event(self, subject: str) -> Event | None:
        self.reads += 1
        await asyncio.sleep(0)
        return self.facts.get(subject)

    async def append(self, subject: str, data: bytes) -> bool:
        assert subject not in self.facts
        self.facts[subject] = decode_event(data)
        return True


class Models:
    def __init__(self, model: object = None) -> None:
        self.model = model

    def judging(self, _: LoadedRelease) -> object:
        return self.model


class Away:
    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, *_: object, **__: object) -> object:
        self.asked += 1
        raise ModelUnavailable("judge", "no answer")


def under_rules(demand: Calibration | None = DEMAND) -> LoadedRelease:
    return a_release(question_type="practice_fact_recall", calibration=demand)


def under_a_model() -> LoadedRelease:
    rule = ScoringRule(rule="llm_judge", judge_prompt="judge.md")
    return a_release(
        rule,
        question_type="practice_fact_recall",
        prompts={"judge.md": "{{answer}}"},
        judge="openai",
        calibration=DEMAND,
    )


def a_calibrator(stream: Stream, model: object = None, pipeline: str = "a" * 64) -> Calibrations:
    return Calibrations(cast("Any", stream), FixedClock(7), cast("Any", Models(model)), lambda: pipeline)


async def test_a_rule_judge_is_measured_at_the_start_and_not_again() -> None:
    stream = Stream()
    calibrations = a_calibrator(stream)
    await calibrations.at_start([under_rules(), under_a_model()])
    await calibrations.before_scoring(FULL, under_rules())
    (fact,) = stream.facts.values()
    assert isinstance(fact, JudgeCalibrated)
    assert (fact.judge, fact.at, fact.answers_sha256) == ("rules:asked-model", 7, PINNED.sha256)
    assert list(stream.facts) == [subject_of(fact)]


async def test_a_second_process_finds_the_fact_and_leaves_it() -> None:
    stream = Stream()
    await a_calibrator(stream).at_start([under_rules()])
    await a_calibrator(stream).at_start([under_rules()])
    assert len(stream.facts) == 1


async def test_other_code_or_another_release_is_measured_anew() -> None:
    stream = Stream()
    await a_calibrator(stream).at_start([under_rules()])
    await a_calibrator(stream, pipeline="b" * 64).at_start([under_rules()])
    changed = replace(under_rules(), digest="1" * 64)
    await a_calibrator(stream).at_start([changed])
    assert len(stream.facts) == 3


async def test_many_questions_at_once_measure_once() -> None:
    stream = Stream()
    calibrations = a_calibrator(stream)
    await asyncio.gather(*(calibrations.before_scoring(FULL, under_rules()) for _ in range(20)))
    assert (len(stream.facts), stream.reads) == (1, 1)


async def test_a_model_is_asked_before_a_full_run_only() -> None:
    stream, model = Stream(), Away()
    calibrations = a_calibrator(stream, model)
    await calibrations.before_scoring(SMOKE, under_a_model())
    assert model.asked == 0
    with pytest.raises(ModelUnavailable):
        await calibrations.before_scoring(FULL, under_a_model())
    assert stream.facts == {}


async def test_a_release_that_asks_for_nothing_is_not_measured() -> None:
    stream = Stream()
    await a_calibrator(stream).before_scoring(FULL, under_rules(demand=None))
    assert stream.facts == {}


async def test_a_set_that_is_not_shipped_leaves_questions_unscored_and_the_start_alive() -> None:
    odd = under_rules(Calibration(answers="answers-1", sha256="0" * 64, threshold=0))
    calibrations = a_calibrator(Stream())
    await calibrations.at_start([odd])
    with pytest.raises(ReleaseGap, match="the release pins 0000"):
        await calibrations.before_scoring(FULL, odd)
