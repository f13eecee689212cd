import pytest

from aml.ledger.append_batch import JobHead
from aml.ledger.seal_job import decide_seal

LEAF = bytes(range(32))


@pytest.mark.parametrize(
    "head",
    [
        JobHead(),
        JobHead(entries=1, last_leaf=LEAF),
        JobHead(entries=9, last_leaf=LEAF, planned=4, ended=3),
        JobHead(entries=9, last_leaf=LEAF, planned=4, ended=4, sealed_idx=8),
        JobHead(entries=9, last_leaf=LEAF, stopped="failed", sealed_idx=8),
    ],
)
def test_a_job_that_is_not_over_or_has_its_seal_gets_none(head: JobHead) -> None:
    assert decide_seal("job", head, 5) is None


@pytest.mark.parametrize(
    ("head", "state"),
    [
        (JobHead(entries=9, last_leaf=LEAF, planned=4, ended=4), "completed"),
        (JobHead(entries=9, last_leaf=LEAF, planned=0, ended=0), "completed"),
        (JobHead(entries=9, last_leaf=LEAF, planned=4, ended=1, stopped="failed"), "failed"),
        (JobHead(entries=9, last_leaf=LEAF, stopped="cancelled"), "cancelled"),
        (JobHead(entries=9, last_leaf=LEAF, planned=4, ended=4, stopped="cancelled"), "cancelled"),
    ],
)
def test_the_seal_closes_what_the_log_holds(head: JobHead, state: str) -> None:
    seal = decide_seal("job", head, 5)
    assert seal is not None
    assert (seal.at, seal.job_id, seal.state, seal.entries, seal.last_leaf) == (5, "job", state, 9, LEAF.hex())
