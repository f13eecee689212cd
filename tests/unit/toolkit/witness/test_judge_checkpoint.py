import base64

import pytest
from tests.factories.cosigners import ORIGIN, a_note, cosigned, log_key
from tests.factories.paper_ledger import frontier_of

from aml.ledger.witnesses import add_checkpoint_body
from aml.rules.merkle import EMPTY_ROOT, consistency_proof, leaf_hash
from aml.rules.tile_edge import subtree_root
from aml.toolkit.witness.errors import CheckpointRefused
from aml.toolkit.witness.judge_checkpoint import Seen, read_request, require_growth, require_known_log

ENTRIES = [b"%d" % n for n in range(40)]
LEAVES = [leaf_hash(entry) for entry in ENTRIES]
LOGS = {ORIGIN: [log_key()]}


def root(size: int, entries: list[bytes] = ENTRIES) -> bytes:
    return frontier_of(entries[:size]).root()


def proof(old: int, new: int) -> tuple[bytes, ...]:
    return consistency_proof(old, new, lambda level, at: subtree_root(LEAVES[at << level : (at + 1) << level]))


def seen(size: int, entries: list[bytes] = ENTRIES) -> Seen | None:
    return Seen(origin=ORIGIN, size=size, root=root(size, entries).hex()) if size else None


def judged(body: str, before: Seen | None) -> Seen:
    request = read_request(body.encode())
    require_known_log(request, LOGS)
    require_growth(request, before)
    return request.seen


def status(body: str, before: Seen | None = None) -> tuple[int, int | None]:
    with pytest.raises(CheckpointRefused) as refused:
        judged(body, before)
    return refused.value.status, refused.value.known_size


@pytest.mark.parametrize(("old", "new"), [(0, 1), (0, 40), (7, 7), (7, 8), (8, 40), (39, 40)])
def test_growth_is_accepted(old: int, new: int) -> None:
    body = add_checkpoint_body(old, proof(old, new) if 0 < old < new else (), a_note(new, root(new)))
    assert judged(body, seen(old)) == seen(new)


def test_an_empty_log_may_be_seen_first() -> None:
    assert judged(add_checkpoint_body(0, (), a_note(0, EMPTY_ROOT)), None).size == 0
    assert status(add_checkpoint_body(0, (), a_note(0, bytes(32)))) == (409, 0)


def test_an_unknown_log_is_404_and_a_wrong_signature_403() -> None:
    assert status(add_checkpoint_body(0, (), a_note(5, root(5), origin="other.example.org")))[0] == 404
    assert status(add_checkpoint_body(0, (), a_note(5, root(5), secret="thief")))[0] == 403
    assert status(add_checkpoint_body(0, (), a_note(5, root(5)).replace("\n5\n", "\n6\n")))[0] == 403


def test_an_unknown_signer_beside_the_log_changes_nothing_and_alone_is_403() -> None:
    assert judged(add_checkpoint_body(0, (), cosigned(a_note(5, root(5)), "stranger")), None) == seen(5)
    alone = a_note(5, root(5), secret="stranger")
    assert status(add_checkpoint_body(0, (), alone))[0] == 403


def test_going_back_and_not_knowing_where_the_witness_is_are_409_with_its_size() -> None:
    assert status(add_checkpoint_body(0, (), a_note(9, root(9))), seen(7)) == (409, 7)
    assert status(add_checkpoint_body(5, proof(5, 6), a_note(6, root(6))), seen(7)) == (409, 7)
    assert status(add_checkpoint_body(8, proof(8, 9), a_note(9, root(9))), seen(7)) == (409, 7)


def test_two_roots_of_one_size_are_409() -> None:
    forked = [*ENTRIES[:6], b"fork"]
    assert status(add_checkpoint_body(7, (), a_note(7, root(7, forked))), seen(7)) == (409, 7)


def test_a_fork_that_grew_is_422() -> None:
    forked = [*ENTRIES[:6], b"fork", *ENTRIES[7:]]
    assert status(add_checkpoint_body(7, proof(7, 12), a_note(12, root(12, forked))), seen(7))[0] == 422


def test_a_proof_that_is_short_long_or_out_of_place_is_422() -> None:
    note = a_note(12, root(12))
    for steps in ((), proof(7, 12)[:-1], (*proof(7, 12), bytes(32)), proof(7, 13)):
        assert status(add_checkpoint_body(7, steps, note), seen(7))[0] == 422
    assert status(add_checkpoint_body(12, (bytes(32),), note), seen(12))[0] == 422
    assert status(add_checkpoint_body(0, (bytes(32),), note))[0] == 422


@pytest.mark.parametrize(
    "change",
    [
        lambda body: "",
        lambda body: body.replace("old 7", "old 07"),
        lambda body: body.replace("old 7", "old -1"),
        lambda body: body.replace("old 7", "new 7"),
        lambda body: body.replace("old 7", "old 13"),
        lambda body: body.replace("old 7\n", "old 7\nAAAA\n"),
        lambda body: body.replace("old 7\n", "old 7\n?\n"),
        lambda body: body.replace("old 7\n", "old 7\n" + (base64.b64encode(bytes(32)).decode() + "\n") * 64),
        lambda body: body.partition("\n\n")[0],
        lambda body: body + "x" * 70_000,
    ],
)
def test_a_malformed_request_is_400(change: object) -> None:
    body = add_checkpoint_body(7, proof(7, 12), a_note(12, root(12)))
    assert callable(change)
    assert status(change(body), seen(7))[0] == 400
