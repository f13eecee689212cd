from aml.toolkit.longmemeval.composition import compose
from aml.toolkit.longmemeval.sampling import Entry, Selection

PLAIN = Entry("a", "multi-session", False)
ABSENT = Entry("b_abs", "multi-session", True)
USER = Entry("c", "single-session-user", False)
SELECTION = Selection(questions=(PLAIN, ABSENT, USER), available=9, requested=4, requested_abstention=2)


def test_it_counts_what_ran_and_keeps_what_was_asked_for_beside_it() -> None:
    composition = compose([PLAIN, ABSENT], SELECTION, 0.5)
    assert (composition.questions, composition.abstention, composition.requested_questions) == (2, 1, 4)
    assert composition.abstention_proportion == 0.5
    assert {name: counts.questions for name, counts in composition.by_type.items()} == {"multi-session": 2}


def test_types_stand_in_the_datasets_order() -> None:
    assert list(compose([PLAIN, USER], SELECTION, None).by_type) == ["single-session-user", "multi-session"]


def test_nothing_has_no_share() -> None:
    assert compose([], SELECTION, None).abstention_proportion is None
