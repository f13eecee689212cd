"""Contradictions are found when the options are made, and each names the option to change."""

from typing import Any

import msgspec
import pytest

from aml.toolkit.longmemeval.errors import OptionInvalid
from aml.toolkit.longmemeval.options import LongMemEvalOptions

BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"max_question": 5}, "max_question", "no such option; known are max_questions"),
    ({"max_questions": 0}, "max_questions", "expected `int` >= 1"),
    ({"max_questions": 2.5}, "max_questions", "expected `int"),
    ({"abstention_policy": "some"}, "abstention_policy", "as_sampled, exclude, only, target_proportion"),
    ({"abstention_policy": "target_proportion"}, "abstention_target_proportion", "is missing"),
    ({"abstention_target_proportion": 0.2}, "abstention_target_proportion", "only abstention_policy"),
    (
        {"abstention_policy": "target_proportion", "abstention_target_proportion": 1.5},
        "abstention_target_proportion",
        "<= 1",
    ),
    ({"include_question_types": ()}, "include_question_types", "is empty"),
    ({"include_question_types": ("abstention",)}, "include_question_types", "is none of single-session-user"),
    ({"include_question_types": ("multi-session", "multi-session")}, "include_question_types", "twice"),
    ({"synthetic_turn_marker": "x" * 65}, "synthetic_turn_marker", "65 characters; at most 64"),
    ({"synthetic_turn_marker": " "}, "synthetic_turn_marker", "visible text"),
    ({"synthetic_turn_marker": "a\nb"}, "synthetic_turn_marker", "one line"),
    (
        {"synthetic_turn_marker": "[ours]", "history_injection_mode": "text_blob"},
        "synthetic_turn_marker",
        "choose structured_chat_history",
    ),
    (
        {"temporal_grounding": "timestamps_only", "history_injection_mode": "text_blob"},
        "temporal_grounding",
        "choose structured_chat_history",
    ),
    (
        {"temporal_grounding": "timestamps_and_text", "include_timestamps": False},
        "temporal_grounding",
        "choose timestamps_only",
    ),
    ({"max_judge_retries": 4}, "max_judge_retries", "<= 3"),
    ({"judge_temperature": -0.1}, "judge_temperature", ">= 0"),
    ({"judge_max_output_tokens": 1}, "judge_max_output_tokens", ">= 16"),
    ({"answer_seed": "7"}, "answer_seed", "expected `int"),
    ({"random_seed": None}, "random_seed", "expected `int`"),
    ({"run_provenance": "all"}, "run_provenance", "none, prompts_only, full"),
]


@pytest.mark.parametrize(("given", "option", "advice"), BAD, ids=lambda value: str(value)[:50])
def test_a_bad_option_is_one_error_that_names_it(given: dict[str, Any], option: str, advice: str) -> None:
    with pytest.raises(OptionInvalid) as caught:
        LongMemEvalOptions.of(**given)
    assert caught.value.option == option
    assert advice in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_constructor_checks_as_well() -> None:
    with pytest.raises(OptionInvalid):
        LongMemEvalOptions(max_questions=-1)


def test_the_defaults_are_valid_and_leave_the_judge_to_its_release() -> None:
    assert LongMemEvalOptions().judge_is_set == ()


def test_which_options_make_another_judge() -> None:
    changed = LongMemEvalOptions(
        max_judge_retries=0, judge_verdict_protocol="free_text", judge_evidence_mode="raw", answer_seed=1
    )
    assert changed.judge_is_set == ("max_judge_retries", "judge_verdict_protocol")


def test_timestamps_only_takes_our_dates_out_of_the_text() -> None:
    assert LongMemEvalOptions().dates_in_text
    assert not LongMemEvalOptions(include_timestamps=False).dates_in_text
    assert not LongMemEvalOptions(temporal_grounding="timestamps_only").dates_in_text


def test_options_are_json_and_back() -> None:
    options = LongMemEvalOptions(max_questions=5, include_question_types=("multi-session",), answer_temperature=0.0)
    assert msgspec.json.decode(msgspec.json.encode(options), type=LongMemEvalOptions) == options
