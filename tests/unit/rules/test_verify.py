import pytest
from msgspec.structs import replace
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked, chained, sealed

from aml.contracts.events import encode_event
from aml.contracts.jobs import JobCancelled
from aml.contracts.seals import GatePassed, GateRefused
from aml.rules.checkpoint import Checkpoint
from aml.rules.entry import entry_bytes
from aml.rules.gate import GateBundle, evaluate_gate
from aml.rules.merkle import Frontier, inclusion_proof, leaf_hash, node_hash
from aml.rules.verify import LogInvalid, verify_claim, verify_entries, verify_entry


def a_log() -> tuple[Checkpoint, list[bytes]]:
    bodies = [
        entry_bytes(
            event=encode_event(each.event),
            event_id=each.event_id,
            index=each.index,
            job_seq=each.job_seq,
            prev=each.prev,
        )
        for each in chained(a_job())
    ]
    frontier = Frontier()
    for body in bodies:
        frontier.append(leaf_hash(body))
    return Checkpoint(origin="log", size=len(bodies), root=frontier.root()), bodies


def test_a_whole_log_is_read() -> None:
    checkpoint, bodies = a_log()
    assert [each.index for each in verify_entries(checkpoint, bodies)] == list(range(len(bodies)))


def test_a_truncated_log_is_refused() -> None:
    checkpoint, bodies = a_log()
    with pytest.raises(LogInvalid, match=rf"covers {len(bodies)} entries"):
        verify_entries(checkpoint, bodies[:-1])


def test_an_edited_row_is_refused() -> None:
    checkpoint, bodies = a_log()
    bodies[-1] = bodies[-1].replace(b'"score":1000000', b'"score":0')
    with pytest.raises(LogInvalid, match="root"):
        verify_entries(checkpoint, bodies)


def test_the_first_entry_out_of_place_is_named() -> None:
    checkpoint, bodies = a_log()
    bodies[2], bodies[3] = bodies[3], bodies[2]
    with pytest.raises(LogInvalid, match="entry 2: says that it is entry 3"):
        verify_entries(checkpoint, bodies)


def test_an_entry_that_is_none_is_named() -> None:
    checkpoint, bodies = a_log()
    bodies[4] = b"{}"
    with pytest.raises(LogInvalid) as refusal:
        verify_entries(checkpoint, bodies)
    assert refusal.value.index == 4


def test_one_entry_with_its_proof() -> None:
    checkpoint, bodies = a_log()

    def node(level: int, index: int) -> bytes:
        if level == 0:
            return leaf_hash(bodies[index])
        return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    proof = inclusion_proof(5, len(bodies), node)
    assert verify_entry(checkpoint, bodies[5], proof).index == 5
    with pytest.raises(LogInvalid, match="entry 6"):
        verify_entry(checkpoint, bodies[6], proof)


def a_claim() -> tuple[GateBundle, GatePassed]:
    bundle = GateBundle(
        entries=tuple(sealed(a_job(), start=1)), release=a_release(), locks=((0, a_release_locked()),), earlier=()
    )
    decision = evaluate_gate(bundle)
    claim = an_event(
        GatePassed,
        subject=decision.subject,
        seal=decision.seal,
        result=decision.result,
        checks=decision.checks,
        sketch=decision.sketch,
    )
    return bundle, claim


def test_a_true_claim_holds() -> None:
    assert verify_claim(*a_claim()) == ()


def test_a_better_score_than_the_entries_give_is_found() -> None:
    bundle, claim = a_claim()
    better = replace(claim, result=replace(claim.result, overall=990_000))
    assert verify_claim(bundle, better) == ("the claimed result is not what the entries give",)


def test_a_refusal_of_a_job_that_passes_is_found() -> None:
    bundle, claim = a_claim()
    refusal = GateRefused(
        at=claim.at,
        job_id=claim.job_id,
        subject=claim.subject,
        seal=claim.seal,
        result=claim.result,
        checks=claim.checks,
    )
    assert len(verify_claim(bundle, refusal)) == 1


def test_another_event_is_no_claim() -> None:
    bundle, _ = a_claim()
    assert verify_claim(bundle, an_event(JobCancelled)) == ("a JobCancelled claims no result",)
