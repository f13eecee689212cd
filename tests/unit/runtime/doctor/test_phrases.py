from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.doctor.phrases import ROLES, filler, name_of, told


@given(st.text(), st.text())
def test_a_name_reads_like_one_and_is_always_the_same(run: str, key: str) -> None:
    name = name_of(run, key)
    assert name == name_of(run, key)
    assert name.isascii()
    assert name.istitle()
    assert len(name) == 8


def test_the_facts_of_a_run_share_no_name_and_no_role() -> None:
    facts = [told("run", "key", number) for number in range(len(ROLES))]
    assert len({fact.name for fact in facts}) == len(ROLES)
    assert len({fact.query for fact in facts}) == len(ROLES)


def test_another_run_has_other_names() -> None:
    names = [{name_of(run, f"{number}") for number in range(500)} for run in ("one", "two")]
    assert names[0].isdisjoint(names[1])


@given(st.integers(0, 3000))
def test_filler_has_the_words_that_were_asked_for(words: int) -> None:
    assert len(filler(words).split()) == words
