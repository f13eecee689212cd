from hypothesis import given
from hypothesis import strategies as st

from aml.ingest.plan_canary import canary_beside, choose_probed
from aml.rules.identity import unit_of

UNITS = [unit_of("practice", f"s{number}") for number in range(20)]


def test_the_same_samples_are_chosen_whenever_and_in_whatever_order_a_job_is_planned() -> None:
    assert choose_probed("job-1", UNITS, 3) == choose_probed("job-1", UNITS[::-1], 3)
    assert len(set(choose_probed("job-1", UNITS, 3))) == 3


def test_another_job_has_others() -> None:
    assert len({choose_probed(f"job-{number}", UNITS, 1) for number in range(20)}) > 5


@given(st.integers(0, 40))
def test_no_more_are_chosen_than_there_are(canaries: int) -> None:
    assert len(choose_probed("job-1", UNITS, canaries)) == min(canaries, len(UNITS))


def test_a_canary_is_written_for_one_user_and_searched_for_under_another() -> None:
    user = "eval:job-1:practice:s1"
    canary = canary_beside("job-1", UNITS[0], user, 100)
    assert canary.search.user_id == user
    assert canary.request.user_id != user
    assert canary.request.user_id.startswith(user)
    assert canary.name in str(canary.request.messages[0].content)
    assert canary.name not in str(canary.search.query)
    assert canary.search.top_k == 100


def test_nothing_in_it_says_that_it_is_a_canary() -> None:
    canary = canary_beside("job-1", UNITS[0], "eval:job-1:practice:s1", 100)
    assert "canary" not in f"{canary.request}{canary.search}".lower()
