"""Whose system it is: by key, by a key besides, by organisation however it is spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.review.own_system import ReviewerLink, fold_organisation, is_own


@pytest.mark.parametrize("spelled", ["Ada's Lab", "ADAS LAB", "  adas   lab ", "Ａda’s Lab", "ada's-lab"])
def test_an_organisation_is_known_however_it_is_spelled(spelled: str) -> None:
    assert is_own(ReviewerLink(organisation="Ada's lab", participant_key_id=None), "key-1", [spelled])


def test_another_organisation_is_another() -> None:
    link = ReviewerLink(organisation="Ada's lab", participant_key_id="key-2")

    assert not is_own(link, "key-1", ["Ada's laboratory", ""])
    assert is_own(link, "key-2", [])
    assert not is_own(ReviewerLink(organisation=None, participant_key_id=None), None, [""])


@given(st.text(min_size=1))
def test_folding_is_settled_at_once_and_never_empty(name: str) -> None:
    folded = fold_organisation(name)

    assert folded
    assert fold_organisation(folded) == folded or not folded.isascii()
