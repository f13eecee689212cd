from hypothesis import given
from hypothesis import strategies as st

from aml.rules.retention import DAY_MS, due_for_shredding

NOW = 1_000 * DAY_MS


def test_evidence_goes_on_the_day_and_not_before() -> None:
    ended = {"today": NOW, "almost": NOW - 30 * DAY_MS + 1, "due": NOW - 30 * DAY_MS, "older": NOW - 31 * DAY_MS}
    assert due_for_shredding(ended, (), now_ms=NOW) == ("older", "due")


def test_what_is_destroyed_is_not_due_again() -> None:
    assert due_for_shredding({"a": 0, "b": 0}, {"a"}, now_ms=NOW) == ("b",)


@given(st.dictionaries(st.text("ab", min_size=1), st.integers(0, NOW)), st.integers(1, 400))
def test_a_longer_rule_never_destroys_more(ended: dict[str, int], days: int) -> None:
    assert set(due_for_shredding(ended, (), now_ms=NOW, days=days + 1)) <= set(
        due_for_shredding(ended, (), now_ms=NOW, days=days)
    )
