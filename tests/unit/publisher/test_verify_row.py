import pytest
from msgspec.structs import replace
from tests.factories.cosigners import a_note, a_policy, cosigned
from tests.factories.results import SignedLog, a_gate, a_result

from aml.publisher.errors import CheckpointRejected, EntryPending, RowRejected
from aml.publisher.verify_row import (
    SignedCheckpoint,
    Witnessing,
    accept_checkpoint,
    judge_row,
    require_growth,
    verify_row,
)
from aml.rules.witness_policy import parse_policy


class LogOverMemory:
    def __init__(self, log: SignedLog) -> None:
        self.log = log

    async def checkpoint(self, size: int | None = None) -> str:
        return self.log.checkpoint(size)

    async def gate_entry(self, job_id: str) -> bytes | None:
        return self.log.gate_entry(job_id)

    async def proof(self, index: int, size: int) -> tuple[bytes, ...]:
        return self.log.proof(index, size)

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        return self.log.consistency(old, new)


def a_log(*jobs: str, filler: int = 12) -> SignedLog:
    log = SignedLog()
    log.fill(filler)
    for job in jobs:
        log.append(a_gate(job))
    return log


def signed(log: SignedLog, size: int | None = None) -> SignedCheckpoint:
    return accept_checkpoint(log.checkpoint(size), log.key)


async def test_a_row_gets_the_position_that_the_log_proves() -> None:
    log = a_log("a", "b")

    row = await verify_row(LogOverMemory(log), signed(log), a_gate("a"), None)

    assert (row.position.index, row.position.tree_size) == (12, 14)
    assert row.position.root == signed(log).root
    assert row.entry.encode() == log.entries[12]


async def test_an_entry_that_is_not_there_yet_is_pending() -> None:
    log = a_log("a", "b")

    with pytest.raises(EntryPending):
        await verify_row(LogOverMemory(log), signed(log), a_gate("unknown"), None)
    with pytest.raises(EntryPending):
        await verify_row(LogOverMemory(log), signed(log, 13), a_gate("b"), None)


async def test_another_event_than_the_streams_is_rejected() -> None:
    log = a_log("a")

    with pytest.raises(RowRejected, match="another event"):
        await verify_row(LogOverMemory(log), signed(log), a_gate("a", result=a_result(710_000)), None)


def test_a_wrong_path_is_rejected() -> None:
    log = a_log("a", "b")
    path = log.proof(12, 14)

    for wrong in (path[:-1], (*path, path[0]), (bytes(32), *path[1:]), log.proof(13, 14)):
        with pytest.raises(RowRejected):
            judge_row(signed(log), a_gate("a"), log.entries[12], wrong)


@pytest.mark.parametrize("entry", [b"", b"{}", b'{"type":"log_entry.v1"}', b"\xff\xfe"])
async def test_what_is_no_entry_is_rejected(entry: bytes) -> None:
    log = a_log("a")

    with pytest.raises(RowRejected):
        await verify_row(LogOverMemory(log), signed(log), a_gate("a"), entry)


def test_a_checkpoint_needs_the_signature_of_the_known_key() -> None:
    log = a_log("a")
    note = log.checkpoint()
    other = replace(log.key, public_key=bytes(32))

    with pytest.raises(CheckpointRejected):
        accept_checkpoint(note, other)
    with pytest.raises(CheckpointRejected):
        accept_checkpoint(note.replace("\n13\n", "\n14\n"), log.key)
    with pytest.raises(CheckpointRejected):
        accept_checkpoint("", log.key)


def test_a_checkpoint_may_not_lie_before_one_that_was_used() -> None:
    log = a_log("a")

    with pytest.raises(CheckpointRejected, match="covers 13 entries"):
        accept_checkpoint(log.checkpoint(), log.key, known=[(14, "0" * 64)])
    with pytest.raises(CheckpointRejected, match="another root"):
        accept_checkpoint(log.checkpoint(), log.key, known=[(13, "0" * 64)])
    assert accept_checkpoint(log.checkpoint(), log.key, known=[(13, signed(log).root)]).size == 13


async def test_a_log_that_was_rewritten_is_refused() -> None:
    log, rewritten = a_log("a", "b"), a_log("x", "b", "c")
    before = signed(log, 13)

    await require_growth(LogOverMemory(log), signed(log), size=before.size, root=before.root)
    with pytest.raises(CheckpointRejected, match="rewritten"):
        await require_growth(LogOverMemory(rewritten), signed(rewritten), size=before.size, root=before.root)


def test_a_checkpoint_needs_the_quorum_of_a_policy_where_there_is_one() -> None:
    log = a_log("a")
    note, now_s = log.checkpoint(), 1_780_000_000
    witnessing = Witnessing(policy=parse_policy(a_policy("x", "y", quorum="all", origin=log.key.name)), now_s=now_s)

    assert accept_checkpoint(cosigned(note, "x", "y"), log.key, witnessing=witnessing).size == 13
    for bad, reason in (
        (note, "by no witness"),
        (cosigned(note, "x", "stranger"), "cosigned by x"),
        (cosigned(cosigned(note, "x"), "y", secret="thief"), "of y is wrong"),
        (cosigned(cosigned(note, "x"), "y", time_s=now_s + 4000), "4000 s in the future"),
    ):
        with pytest.raises(CheckpointRejected, match=reason):
            accept_checkpoint(bad, log.key, witnessing=witnessing)


def test_cosignatures_do_not_stand_in_for_the_logs_own_signature() -> None:
    log = a_log("a")
    forged = a_note(13, bytes(32), origin=log.key.name, secret="thief")
    witnessing = Witnessing(policy=parse_policy(a_policy("x", origin=log.key.name)), now_s=1_780_000_000)

    with pytest.raises(CheckpointRejected, match="no signature of a known key"):
        accept_checkpoint(cosigned(forged, "x"), log.key, witnessing=witnessing)


def test_an_unknown_signer_beside_the_log_is_passed_over() -> None:
    log = a_log("a")

    assert accept_checkpoint(cosigned(log.checkpoint(), "stranger"), log.key).size == 13


def test_a_proof_of_a_newer_tree_does_not_go_with_an_older_checkpoint() -> None:
    log = a_log("a", "b", "c", "d", filler=13)

    with pytest.raises(RowRejected, match="entry 13: the inclusion proof"):
        judge_row(signed(log, 15), a_gate("a"), log.entries[13], log.proof(13, 17))
