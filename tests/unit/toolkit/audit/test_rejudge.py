"""The stored answers under another judge, from openings alone."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.factories.audited_logs import AuditedLog, a_log_of, commit_to, under
from tests.factories.finished_jobs import CATEGORIES, a_job

from aml.contracts.audit import Opening
from aml.contracts.benchmark import Gold, Question
from aml.contracts.packs import AnswerRecord, GoldPack, QuestionPack
from aml.contracts.release import ScoringRule
from aml.contracts.units import AnswerGenerated, SamplePlanned
from aml.rules.bundle_layout import openings_path
from aml.rules.verify import BundleUnusable
from aml.runtime.release_folder import LoadedRelease
from aml.toolkit.audit.errors import EvidenceClosed, NothingToExport
from aml.toolkit.audit.opened_job import read_job
from aml.toolkit.audit.rejudge import rejudge
from aml.toolkit.audit.rejudge_lines import rejudge_lines

GOLD = ("Rome", "a red bicycle", "in May 2023", "two cats")
SAID = ("Rome", "a red bicycle", "in June 2023", "two cats")
"""The third is wrong; the log says that the first is."""


def an_opened_log() -> AuditedLog:
    log = a_log_of([])
    questions = tuple(
        Question(
            question_id=f"q{index}",
            text=f"Question {index}?",
            question_type=CATEGORIES[index % 2],
            category=CATEGORIES[index % 2],
            capability="fact_recall",
        )
        for index in range(4)
    )
    golds = tuple(Gold(question_id=f"q{index}", answers=(text,)) for index, text in enumerate(GOLD))
    for event in a_job():
        logged = under(log, event)
        if isinstance(logged, SamplePlanned):
            pack = QuestionPack(questions=questions, units=("",) * 4)
            gold = GoldPack(gold=golds, evidence_texts=((),) * 4)
            logged = replace(logged, question_pack=put(log, pack), gold_pack=put(log, gold))
        elif isinstance(logged, AnswerGenerated):
            record = AnswerRecord(text=SAID[logged.index], answerer="extractive")
            logged = replace(logged, answer=put(log, record))
        log.append(logged)
    log.finish("job-1")
    return log


def put(log: AuditedLog, value: object) -> Any:
    return commit_to(log, "job-1", msgspec.json.encode(value))


def a_judge(log: AuditedLog, **scoring: ScoringRule) -> LoadedRelease:
    release = replace(log.release, release_id="other", scoring=scoring or log.release.scoring)
    return LoadedRelease(release=release, digest="0" * 64, prompts={}, fingerprints={})


@pytest.mark.parametrize("scope", ["cycle", "job"])
async def test_what_moves_is_shown_question_by_question(scope: Any) -> None:
    log = an_opened_log()
    job = read_job(log.bundle(scope), "job-1")
    outcome = await rejudge(job, a_judge(log), None)
    assert [(each.before, each.after) for each in outcome.questions] == [
        (0, 1_000_000), (1_000_000, 1_000_000), (1_000_000, 0), (1_000_000, 1_000_000)
    ]  # fmt: skip
    assert (outcome.agreed, outcome.better, outcome.worse, outcome.unscored) == (2, 1, 1, 0)
    assert (outcome.mean_before, outcome.mean_after, outcome.p_value) == (750_000, 750_000, 1_000_000)
    lines = list(rejudge_lines(outcome))
    assert [line for line in lines if line.startswith("practice ")] == [
        "practice q0 (fact_recall): 0.0 % -> 100.0 %",
        "practice q2 (fact_recall): 100.0 % -> 0.0 %",
    ]
    assert any("June 2023" in line for line in lines)
    assert len(list(rejudge_lines(outcome, every=True))) == 4 * 5 + 2


async def test_a_type_that_the_judge_does_not_know_has_no_verdict_and_no_zero() -> None:
    log = an_opened_log()
    judge = a_judge(log, temporal=ScoringRule(rule="rule_judge"))
    outcome = await rejudge(read_job(log.bundle(), "job-1"), judge, None)
    assert [each.after for each in outcome.questions] == [None, 1_000_000, None, 1_000_000]
    assert outcome.unscored == 2
    assert "no verdict" in next(iter(rejudge_lines(outcome)))


async def test_a_bundle_that_opens_nothing() -> None:
    log = an_opened_log()
    job = read_job(log.bundle(opened=False), "job-1")
    with pytest.raises(EvidenceClosed, match="--open"):
        await rejudge(job, a_judge(log), None)


def test_a_swapped_opening_is_not_read() -> None:
    log = an_opened_log()
    bundle = log.bundle()
    page = openings_path("job-1", 0)
    lines = [msgspec.json.decode(line, type=Opening) for line in bundle[page].splitlines()]
    lines[0] = replace(lines[0], payload=lines[1].payload)
    bundle[page] = b"\n".join(map(msgspec.json.encode, lines))
    with pytest.raises(BundleUnusable, match="committed"):
        read_job(bundle, "job-1")


def test_which_job_is_asked_only_where_there_are_several() -> None:
    log = an_opened_log()
    assert read_job(log.bundle("job"), None).job_id == "job-1"
    with pytest.raises(NothingToExport, match="--job"):
        read_job(log.bundle("cycle"), None)
    with pytest.raises(NothingToExport, match="job-9"):
        read_job(log.bundle("cycle"), "job-9")
