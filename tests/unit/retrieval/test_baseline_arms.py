import pytest
from msgspec import structs
from tests.factories.samples import a_sample, a_turn

from aml.contracts.benchmark import Session
from aml.contracts.release import Chunking
from aml.ingest.plan_sample import plan_sample
from aml.retrieval.baseline_arms import iso_date, memories_of


@pytest.fixture
def packs():
    sample = structs.replace(
        a_sample(),
        sessions=(
            Session(session_id="one", turns=(a_turn("t0", "the cat is called Mo", timestamp=1_683_504_000_000),)),
            Session(session_id="two", turns=(a_turn("t1", "it rains"),)),
        ),
    )
    planned = plan_sample(sample, job_id="j", dataset="d", chosen=frozenset({"s1-q0", "s1-q1"}), chunking=Chunking())
    return planned.chunks, planned.gold


def test_no_memory_returns_nothing(packs):
    assert memories_of("no_memory", *packs, 0) == ()


def test_full_context_returns_every_turn_in_order_with_its_date(packs):
    memories = memories_of("full_context", *packs, 0)

    assert [memory.id for memory in memories] == ["t0", "t1"]
    assert [memory.content for memory in memories] == ["[2023-05-08] the cat is called Mo", "it rains"]


def test_the_oracle_returns_the_evidence_and_nothing_else(packs):
    assert [memory.id for memory in memories_of("oracle", *packs, 0)] == ["t0"]


def test_a_participant_is_no_arm_of_ours(packs):
    with pytest.raises(ValueError, match="its Search"):
        memories_of("participant", *packs, 0)


@pytest.mark.parametrize(("ms", "day"), [(0, "1970-01-01"), (-1, "1969-12-31"), (1_709_164_800_000, "2024-02-29")])
def test_dates_are_utc_days(ms, day):
    assert iso_date(ms) == day
