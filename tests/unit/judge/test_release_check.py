from pathlib import Path

import pytest
from tests.factories.judging import a_release

from aml.contracts.release import Calibration, ScoringRule
from aml.judge.release_check import check_release
from aml.runtime.release_folder import ReleaseError, bundled_releases, load_release


@pytest.mark.parametrize("release_id", ["practice", "openai", "toolkit", "toolkit-memory", "toolkit-openai"])
def test_the_bundled_releases_can_be_judged(release_id: str) -> None:
    folder = bundled_releases()[release_id]
    check_release(load_release(folder), folder)


@pytest.mark.parametrize(
    ("rule", "question_type", "prompts", "problem"),
    [
        (ScoringRule(rule="rubric"), "open", {}, "'rubric' is not implemented"),
        (ScoringRule(rule="locomo_f1"), "open", {}, "locomo_f1 scores"),
        (
            ScoringRule(rule="choice", answer_prompt="a.md"),
            "open",
            {"a.md": "{{reference}}"},
            r"prompts/a.md: unknown value \{\{reference\}\}",
        ),
        (
            ScoringRule(rule="llm_judge", judge_prompt="j.md"),
            "open",
            {"j.md": "{{memories}}"},
            r"unknown value \{\{memories\}\}",
        ),
    ],
)
def test_what_the_judge_cannot_do_is_refused_before_a_job_runs(
    rule: ScoringRule, question_type: str, prompts: dict[str, str], problem: str
) -> None:
    with pytest.raises(ReleaseError, match=problem):
        check_release(a_release(rule, question_type=question_type, prompts=prompts), Path("x"))


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(ReleaseError, match="tokenizer 'words'"):
        check_release(a_release(tokenizer="words"), Path("x"))


def test_no_answer_prompt_of_the_bundled_release_sees_the_gold_and_every_judge_prompt_fences_the_answer() -> None:
    release = load_release(bundled_releases()["openai"])
    for rule in release.release.scoring.values():
        assert rule.answer_prompt is not None
        assert "{{reference}}" not in release.prompts[rule.answer_prompt]
        if rule.judge_prompt is not None:
            assert "<answer {{fence}}>\n{{answer}}\n</answer {{fence}}>" in release.prompts[rule.judge_prompt]


@pytest.mark.parametrize(
    ("answers", "sha256", "problem"),
    [("nothing", "0" * 64, "'nothing' is not one of"), ("answers-1", "0" * 64, "the release pins 0000")],
)
def test_a_calibration_set_that_is_not_shipped_is_refused_before_a_job_runs(
    answers: str, sha256: str, problem: str
) -> None:
    demand = Calibration(answers=answers, sha256=sha256, threshold=1)
    with pytest.raises(ReleaseError, match=problem):
        check_release(a_release(calibration=demand), Path("x"))
