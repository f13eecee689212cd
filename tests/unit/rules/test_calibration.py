"""Agreement and kappa against numbers that can be worked out on paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.finished_jobs import a_release

from aml.contracts.release import ModelSettings
from aml.rules.calibration import Judged, agreement_of, details_digest, judge_name

VERDICTS = st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None])), max_size=60)


def judged(*pairs: tuple[bool, bool | None], kind: str = "number") -> list[Judged]:
    return [Judged(case_id=f"c{n}", kind=kind, correct=label, verdict=said) for n, (label, said) in enumerate(pairs)]


def test_cohen_s_own_kind_of_table() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.70, by chance 0.50, kappa 0.40
    table = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    found = agreement_of(judged(*table))
    assert (found.labelled, found.agreed, found.agreement, found.kappa) == (50, 35, 700_000, 400_000)


@pytest.mark.parametrize(
    ("pairs", "agreement", "kappa"),
    [
        ([(True, True), (False, False)], 1_000_000, 1_000_000),
        ([(True, False), (False, True)], 0, -1_000_000),
        ([(True, True), (False, True)], 500_000, 0),
        ([(True, True), (True, True)], 1_000_000, 0),
        ([(True, None), (False, None)], 0, 0),
        ([], 0, 0),
    ],
    ids=["perfect", "always wrong", "says yes to all", "one label only", "nothing readable", "empty"],
)
def test_the_ends_of_the_scale(pairs: list[tuple[bool, bool | None]], agreement: int, kappa: int) -> None:
    found = agreement_of(judged(*pairs))
    assert (found.agreement, found.kappa) == (agreement, kappa)


def test_a_verdict_that_cannot_be_read_is_no_agreement_and_is_counted_apart() -> None:
    found = agreement_of(judged((True, True), (False, None)))
    assert (found.agreed, found.unread, found.disagreed) == (1, 1, ("c1",))


def test_each_kind_has_its_row_in_alphabetical_order() -> None:
    found = agreement_of([*judged((True, False), kind="number"), *judged((True, True), (False, False), kind="date")])
    assert [(row.kind, row.agreed, row.labelled) for row in found.kinds] == [("date", 2, 2), ("number", 0, 1)]


@given(VERDICTS)
def test_the_parts_add_up_and_the_scale_is_kept(pairs: list[tuple[bool, bool | None]]) -> None:
    found = agreement_of(judged(*pairs))
    assert found.agreed + len(found.disagreed) == found.labelled == len(pairs)
    assert sum(row.agreed for row in found.kinds) == found.agreed
    assert 0 <= found.agreement <= 1_000_000
    assert -1_000_000 <= found.kappa <= found.agreement


@given(VERDICTS)
def test_kappa_does_not_mind_the_names_of_the_classes(pairs: list[tuple[bool, bool | None]]) -> None:
    swapped = [(not label, None if said is None else not said) for label, said in pairs]
    assert agreement_of(judged(*pairs)).kappa == agreement_of(judged(*swapped)).kappa


def test_the_details_change_with_any_verdict_and_with_nothing_else() -> None:
    one = judged((True, True), (False, False))
    assert details_digest(one) == details_digest(judged((True, True), (False, False), kind="date"))
    others = [judged((True, True), (False, None)), judged((True, True), (False, True)), one[:1], one[::-1]]
    assert len({details_digest(each) for each in [one, *others]}) == 5


@pytest.mark.parametrize(
    ("judge", "name"),
    [(ModelSettings(kind="rules"), "rules"), (ModelSettings(kind="openai", model="m-1"), "openai:m-1")],
)
def test_a_judge_is_named_by_its_kind_and_model(judge: ModelSettings, name: str) -> None:
    assert judge_name(a_release(judge=judge)) == name
