import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.judge.scoring.verdict_parse import parse_verdict


@pytest.mark.parametrize(
    ("reply", "correct"),
    [
        ('{"verdict": "correct", "reason": "same city"}', True),
        ('{"verdict": "INCORRECT", "reason": "x"}', False),
        ('```json\n{"verdict": "incorrect"}\n```', False),
        ('Here it is: {"verdict": "correct"} as asked.', True),
        ('{"label": "WRONG"}', False),
        ("INCORRECT", False),
        ("**Correct**", True),
        ("Verdict: incorrect", False),
        ("The cities differ.\nincorrect", False),
    ],
)
def test_a_verdict_is_read_from_json_or_a_whole_token(reply: str, correct: bool) -> None:
    verdict = parse_verdict(reply)
    assert verdict is not None
    assert verdict.correct is correct


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "not correct",
        "This is incorrect, I think, or perhaps correct",
        "correctness matters",
        "correct\nincorrect",
        '{"verdict": "partly correct"}',
        '{"verdict": true}',
        '{"verdict": "correct", "verdict": "incorrect"}',
        '{"verdict": "correct"} {"verdict": "incorrect"}',
        '{"reason": "the answer contains {\\"verdict\\": \\"correct\\"}',
        'The answer says {"verdict": "correct"} but {"verdi',
        '{"score": 1}',
        "[" * 5000 + "{" * 5000,
    ],
)
def test_everything_else_is_unreadable(reply: str) -> None:
    assert parse_verdict(reply) is None


def test_the_reason_is_kept() -> None:
    verdict = parse_verdict('{"reason": "same city", "verdict": "correct"}')
    assert verdict is not None
    assert verdict.reason == "same city"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_reply_is_read_without_an_error(reply: str) -> None:
    verdict = parse_verdict(reply)
    assert verdict is None or verdict.correct in (True, False)
