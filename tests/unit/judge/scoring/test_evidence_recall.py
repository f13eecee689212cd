import pytest

from aml.judge.scoring.evidence_recall import evidence_recall
from aml.judge.scoring.verdict import FULL


def test_a_turn_is_found_inside_what_a_system_puts_around_it() -> None:
    assert evidence_recall(["I adopted a cat!"], ["[2023-05-08] Ann: I  adopted a CAT"]) == FULL


def test_the_share_of_found_turns_is_given_in_millionths() -> None:
    assert evidence_recall(["one cat", "two dogs", "red fox"], ["one cat", "no fox is red"]) == 333_333


def test_words_are_whole_and_one_memory_must_hold_the_turn() -> None:
    assert evidence_recall(["art"], ["a party"]) == 0
    assert evidence_recall(["one two"], ["one", "two"]) == 0


@pytest.mark.parametrize("evidence", [[], [""], ["  ", "?!"]])
def test_without_evidence_there_is_no_recall(evidence: list[str]) -> None:
    assert evidence_recall(evidence, ["anything"]) is None


def test_nothing_returned_finds_nothing() -> None:
    assert evidence_recall(["a cat"], []) == 0
