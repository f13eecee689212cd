"""Whoever runs the server, or sits between it and the auditor, changes a bundle. Each change is refused for its own reason."""

from functools import cache

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from tests.factories.audited_logs import BOARD_ID, NONCE, AuditedLog, a_log_of, a_published_log, under
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.access import KeyRevoked
from aml.contracts.audit import Opening
from aml.contracts.boards import Board, ReviewDecided
from aml.contracts.events import encode_event
from aml.contracts.packs import VerdictRecord
from aml.contracts.seals import GatePassed, JobSealed
from aml.contracts.verdicts import AnswerScored
from aml.rules.bundle_layout import CHECKPOINT, MANIFEST, PROOFS, board_path, openings_path, proof_path
from aml.rules.checkpoint import VerifierKey, parse_note, sign_note
from aml.rules.commitment import commit
from aml.rules.cosignature import WitnessKey, cosign
from aml.rules.entry import entry_bytes, read_entry
from aml.rules.identity import event_id
from aml.rules.merkle import leaf_hash
from aml.rules.tiles import TileName, decode_bundle, encode_bundle
from aml.rules.verify import AuditReport, verify_bundle

STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
NOW_S = 1_790_000_000


@cache
def the_log() -> AuditedLog:
    """Read only: whoever changes a log makes one of their own."""
    return a_published_log()


def entries_name(count: int) -> TileName:
    return TileName(level=None, index=0, width=count)


def bodies_of(bundle: dict[str, bytes], count: int) -> list[bytes]:
    return list(decode_bundle(entries_name(count), bundle[entries_name(count).path]))


def with_bodies(bundle: dict[str, bytes], bodies: list[bytes]) -> dict[str, bytes]:
    """The entries changed, everything else as it was."""
    return bundle | {entries_name(len(bodies)).path: encode_bundle(bodies)}


def index_of(log: AuditedLog, kind: type, skip: int = 0) -> int:
    found = [index for index, body in enumerate(log.bodies) if isinstance(read_entry(body).event, kind)]
    return found[skip]


def refused(report: AuditReport, check: str, code: str, entry: int | None) -> None:
    assert not report.verified
    first = report.refusals[0]
    assert (first.check, first.code, first.entry) == (check, code, entry), report.refusals


def test_an_honest_bundle_is_verified() -> None:
    log = the_log()
    for scope in ("cycle", "board", "job"):
        report = verify_bundle(log.bundle(scope), log.keys, previous=log.note(9))
        assert report.verified, report.refusals
        assert {each.name for each in report.checks if each.outcome == "skipped"} == {"quorum"}


@pytest.mark.parametrize(
    ("old", "new"), [(b'"latency":', b'"latency":1'), (b'"outcome":"incorrect"', b'"outcome":"correct"')]
)
def test_one_entry_edited(old: bytes, new: bytes) -> None:
    log = the_log()
    bundle = log.bundle()
    bodies = bodies_of(bundle, len(log.bodies))
    index = next(index for index, body in enumerate(bodies) if old in body)
    bodies[index] = bodies[index].replace(old, new)

    report = verify_bundle(with_bodies(bundle, bodies), log.keys)

    refused(report, "entries", "leaf_differs", index)
    assert report.first_entry == index


def test_an_entry_that_is_no_entry_any_more() -> None:
    log = the_log()
    bundle = log.bundle()
    bodies = bodies_of(bundle, len(log.bodies))
    bodies[5] = bodies[5].replace(b'"event_id"', b'"event_ID"')
    refused(verify_bundle(with_bodies(bundle, bodies), log.keys), "entries", "entry_malformed", 5)


def test_a_payload_swapped_under_an_intact_leaf() -> None:
    """The body of a better question stands in the place of a worse one, its index made to fit."""
    log = the_log()
    bundle = log.bundle()
    bodies = bodies_of(bundle, len(log.bodies))
    wrong, right = index_of(log, AnswerScored), index_of(log, AnswerScored, skip=1)
    bodies[wrong] = bodies[right].replace(b'"index":%d,"job_seq"' % right, b'"index":%d,"job_seq"' % wrong)
    refused(verify_bundle(with_bodies(bundle, bodies), log.keys), "entries", "leaf_differs", wrong)


def test_an_entry_and_its_leaf_edited_under_the_old_checkpoint() -> None:
    """The tiles are made to fit, so it is the root that differs, and the job's next entry that tells on it."""
    log = the_log()
    bodies = list(log.bodies)
    index = index_of(log, AnswerScored)
    bodies[index] = bodies[index].replace(b'"score":0', b'"score":1000000').replace(b'"incorrect"', b'"correct"')

    report = verify_bundle(log.bundle(bodies=bodies, note=log.note()), log.keys)

    refused(report, "root", "root_differs", None)
    assert (report.refusals[1].code, report.first_entry) == ("chain_broken", index)


def test_the_tail_truncated() -> None:
    log = the_log()
    kept = len(log.bodies) - 3

    whole = verify_bundle(log.bundle(bodies=log.bodies[:kept], note=log.note()), log.keys)
    refused(whole, "root", "tree_truncated", kept)
    assert whole.first_entry == kept

    entries_only = log.bundle()
    entries_only[entries_name(kept).path] = encode_bundle(log.bodies[:kept])
    del entries_only[entries_name(len(log.bodies)).path]
    refused(verify_bundle(entries_only, log.keys), "entries", "entries_missing", kept)


def rewritten_without(log: AuditedLog, gone: int) -> list[bytes]:
    """Every later entry moved down and chained anew: a whole, consistent log in which one event never happened.

    A harmless entry at its end makes it as long as it was.
    """
    last: dict[str, tuple[int, str]] = {}
    bodies: list[bytes] = []
    events = [read_entry(body).event for index, body in enumerate(log.bodies) if index != gone]
    for event in [*events, an_event(KeyRevoked)]:
        job_id = getattr(event, "job_id", None)
        seq, prev = last.get(job_id, (-1, "")) if job_id is not None else (-1, "")
        body = entry_bytes(
            event=encode_event(event),
            event_id=event_id(event),
            index=len(bodies),
            job_seq=None if job_id is None else seq + 1,
            prev=prev or None,
        )
        if job_id is not None:
            last[job_id] = seq + 1, leaf_hash(body).hex()
        bodies.append(body)
    return bodies


def test_a_middle_event_deleted_and_the_tree_hashed_again_under_the_old_checkpoint() -> None:
    log = the_log()
    bodies = rewritten_without(log, index_of(log, AnswerScored, skip=1))
    report = verify_bundle(log.bundle(bodies=bodies, note=log.note()), log.keys)
    refused(report, "root", "root_differs", None)
    assert (report.refusals[1].code, report.first_entry) == ("seal_differs", index_of(log, JobSealed) - 1)


def test_a_middle_event_deleted_and_signed_anew_against_a_checkpoint_that_the_auditor_kept() -> None:
    """The log's own key signs the rewritten log: only the reader's memory, and the seal, show it."""
    log = the_log()
    bodies = rewritten_without(log, index_of(log, AnswerScored, skip=1))
    kept = log.note(len(bodies) - 2)
    report = verify_bundle(log.bundle(bodies=bodies), log.keys, previous=kept)
    refused(report, "consistency", "history_rewritten", len(bodies) - 3)
    assert "seal_differs" in {each.code for each in report.refusals}, "the seal counts one entry more"


def test_a_middle_event_deleted_without_moving_the_others() -> None:
    log = the_log()
    bundle = log.bundle("job")
    page = "entries/00000.jsonl"
    gone = index_of(log, AnswerScored, skip=1)
    lines = bundle[page].splitlines(keepends=True)
    bundle[page] = b"".join(line for line in lines if read_entry(line.strip()).index != gone)
    manifest = msgspec.json.decode(bundle[MANIFEST])
    bundle[MANIFEST] = msgspec.json.encode(manifest | {"entries": manifest["entries"] - 1})

    report = verify_bundle(bundle, log.keys)

    refused(report, "chains", "chain_gap", gone + 1)


def test_an_old_valid_checkpoint_replayed() -> None:
    log = the_log()
    newest = log.note()
    older = log.bodies[:-2]
    report = verify_bundle(log.bundle(bodies=older), log.keys, previous=newest)
    assert "checkpoint_replayed" in {each.code for each in report.refusals}
    refused(report, "consistency", "checkpoint_replayed", len(older))


def test_two_roots_of_one_size() -> None:
    log = the_log()
    bodies = list(log.bodies)
    bodies[-1] = bodies[-1].replace(b'"rows":1', b'"rows":2')
    report = verify_bundle(log.bundle(bodies=bodies), log.keys, previous=log.note())
    refused(report, "consistency", "two_roots", len(bodies) - 1)


def test_a_forged_root_under_the_right_name() -> None:
    """The name and key id of the log, the signature of somebody else."""
    log = the_log()
    bodies = [*log.bodies[:-1], log.bodies[-1].replace(b'"rows":1', b'"rows":2')]
    note = sign_note(parse_note(log.note(bodies=bodies)).text, log.key, STRANGER.sign)
    refused(verify_bundle(log.bundle(bodies=bodies, note=note), log.keys), "signature", "signature_wrong", None)


def test_the_right_name_with_another_key() -> None:
    log = the_log()
    stranger = VerifierKey(name=log.origin, public_key=STRANGER.public_key().public_bytes_raw())
    note = sign_note(parse_note(log.note()).text, stranger, STRANGER.sign)
    refused(verify_bundle(log.bundle(note=note), log.keys), "signature", "other_key", None)


def test_an_unknown_signer_beside_a_valid_one_adds_nothing() -> None:
    """C2SP asks readers to pass over signatures that they do not know; so it is said, and counts for no quorum."""
    log = the_log()
    witness = WitnessKey(name="watcher.example", public_key=bytes(32))
    policy = f"witness w {witness}\nquorum w\n"
    line = sign_note("x\n", VerifierKey(name="stranger.example", public_key=bytes(32)), STRANGER.sign).splitlines()[-1]
    bundle = log.bundle()
    bundle[CHECKPOINT] += f"{line}\n".encode()
    del bundle[proof_path(index_of(log, GatePassed))]

    report = verify_bundle(bundle, log.keys)
    assert report.verified
    assert "1 signatures of others" in report.checks[0].detail
    refused(verify_bundle(bundle, log.keys, policy=policy), "quorum", "quorum_missing", None)


@pytest.mark.parametrize(("seconds", "code"), [(0, None), (3600, "cosigned_in_future")])
def test_a_cosignature_counts_unless_it_is_from_the_future(seconds: int, code: str | None) -> None:
    log = the_log()
    witness = WitnessKey(name="watcher.example", public_key=STRANGER.public_key().public_bytes_raw())
    policy = f"log {log.key}\nwitness w {witness}\nquorum w\n"
    bundle = log.bundle()
    text = parse_note(bundle[CHECKPOINT].decode()).text
    bundle[CHECKPOINT] += f"{cosign(text, witness, STRANGER.sign, time_s=NOW_S + seconds)}\n".encode()
    report = verify_bundle(bundle, log.keys, policy=policy, now_s=NOW_S)
    if code is None:
        assert report.verified
    else:
        refused(report, "quorum", code, None)


def test_the_bundles_own_policy_counts_and_the_readers_counts_more() -> None:
    log = the_log()
    witness = WitnessKey(name="watcher.example", public_key=STRANGER.public_key().public_bytes_raw())
    bundle = log.bundle() | {"policy": f"witness w {witness}\nquorum w\n".encode()}
    refused(verify_bundle(bundle, log.keys), "quorum", "quorum_missing", None)
    assert verify_bundle(bundle, log.keys, policy="quorum none\n").verified


def test_a_proof_for_a_newer_tree_with_an_older_checkpoint() -> None:
    log = the_log()
    newer = log.bundle()
    older = log.bundle(bodies=log.bodies[:-1])
    older.pop(board_path(BOARD_ID))
    index = index_of(log, GatePassed)
    older[proof_path(index)] = newer[proof_path(index)]
    refused(verify_bundle(older, log.keys), "proofs", "proof_of_other_tree", index)


def test_a_proof_under_the_right_checkpoint_that_leads_elsewhere() -> None:
    log = the_log()
    bundle = log.bundle()
    index = index_of(log, GatePassed)
    bundle[proof_path(index)] = bundle[proof_path(index)].replace(b"index %d" % index, b"index %d" % (index - 1))
    refused(verify_bundle(bundle, log.keys), "proofs", "proof_wrong", index - 1)


def test_a_proof_whose_own_checkpoint_nobody_signed() -> None:
    log = the_log()
    bundle = log.bundle()
    index = index_of(log, GatePassed)
    text = parse_note(log.note()).text
    forged = sign_note(text, log.key, STRANGER.sign)
    bundle[proof_path(index)] = bundle[proof_path(index)].replace(log.note().encode(), forged.encode())
    refused(verify_bundle(bundle, log.keys), "proofs", "proof_unsigned", index)


def test_a_bundle_of_another_log() -> None:
    log = the_log()
    other = a_published_log()
    other.origin = "log.example/other"
    refused(verify_bundle(other.bundle(), log.keys), "signature", "other_log", None)


def test_the_parts_of_one_log_under_the_checkpoint_of_another() -> None:
    log, other = the_log(), a_published_log(questions=6)
    assert len(other.bodies) > len(log.bodies)
    refused(verify_bundle(other.bundle(note=log.note()), log.keys), "root", "tile_missing", 0)


def test_a_manifest_that_speaks_of_another_tree() -> None:
    log = the_log()
    bundle = log.bundle()
    manifest = msgspec.json.decode(bundle[MANIFEST])
    bundle[MANIFEST] = msgspec.json.encode(manifest | {"size": 3})
    refused(verify_bundle(bundle, log.keys), "root", "manifest_differs", 3)


def test_a_verdict_changed_before_it_was_logged() -> None:
    """The fact says that the first answer was right, and cites a verdict that it was wrong. Only the opening shows it."""
    log = a_log_of([])
    for event in a_job():
        logged = under(log, event)
        if isinstance(logged, AnswerScored) and logged.index == 0:
            logged = replace(logged, outcome="correct", score=1_000_000)
        log.append(logged)
    gate = log.finish("job-1")
    assert isinstance(gate.event, GatePassed)
    assert verify_bundle(log.bundle(opened=False), log.keys).verified
    refused(verify_bundle(log.bundle(), log.keys), "openings", "verdict_differs", index_of(log, AnswerScored))


def an_opening(record: VerdictRecord) -> Opening:
    payload = msgspec.json.encode(record)
    return Opening(digest=commit(NONCE, payload), nonce=NONCE.hex(), media_type="application/json", payload=payload)


def test_an_opening_swapped() -> None:
    """Another payload under the digest that the log cites."""
    log = the_log()
    bundle = log.bundle()
    page = openings_path("job-1", 0)
    lines = bundle[page].splitlines()
    first, second = (msgspec.json.decode(line, type=Opening) for line in lines[:2])
    lines[0] = msgspec.json.encode(replace(first, payload=second.payload))
    bundle[page] = b"\n".join(lines) + b"\n"
    refused(verify_bundle(bundle, log.keys), "openings", "opening_differs", index_of(log, AnswerScored))


def test_an_opening_of_what_no_entry_cites() -> None:
    log = the_log()
    bundle = log.bundle()
    page = openings_path("job-1", 0)
    stranger = an_opening(VerdictRecord(rule="rule_judge", score=1_000_000, reason="never logged"))
    bundle[page] += msgspec.json.encode(stranger) + b"\n"
    refused(verify_bundle(bundle, log.keys), "openings", "opening_uncited", None)


def test_a_gate_decision_flipped() -> None:
    """A job with an unfinished question is let through."""
    log = a_log_of(a_job()[:-1])
    gate = log.finish("job-1", flip=True)
    assert isinstance(gate.event, GatePassed)
    report = verify_bundle(log.bundle(), log.keys)
    refused(report, "gate", "decision_differs", gate.index)


def test_an_aggregate_changed() -> None:
    log = a_log_of()
    honest = a_published_log().jobs["job-1"]
    result = next(each.event.result for each in honest if isinstance(each.event, GatePassed))
    gate = log.finish("job-1", claim={"result": replace(result, overall=990_000)})
    refused(verify_bundle(log.bundle(), log.keys), "gate", "aggregate_differs", gate.index)


def test_a_check_left_out_of_a_decision() -> None:
    log = a_log_of()
    honest = a_published_log().jobs["job-1"]
    checks = next(each.event.checks for each in honest if isinstance(each.event, GatePassed))
    gate = log.finish("job-1", claim={"checks": checks[:-1]})
    refused(verify_bundle(log.bundle(), log.keys), "gate", "checks_differ", gate.index)


def test_a_sketch_changed_so_that_no_later_copy_looks_like_a_copy() -> None:
    log = a_log_of()
    honest = a_published_log().jobs["job-1"]
    sketch = next(each.event.sketch for each in honest if isinstance(each.event, GatePassed))
    assert sketch is not None
    gate = log.finish("job-1", claim={"sketch": replace(sketch, exact="0" * 64)})
    refused(verify_bundle(log.bundle(), log.keys), "gate", "sketch_differs", gate.index)


def test_a_second_decision_about_a_job() -> None:
    log = a_log_of(a_job()[:-1])
    first = log.finish("job-1")
    claim = first.event
    second = log.append(
        GatePassed(
            sketch=None,
            **{name: getattr(claim, name) for name in ("at", "job_id", "subject", "seal", "result", "checks")},
        )
    )
    refused(verify_bundle(log.bundle(), log.keys), "gate", "decided_twice", second.index)


def test_a_passed_job_without_its_releases_files() -> None:
    log = the_log()
    bundle = {name: data for name, data in log.bundle().items() if not name.startswith("releases/")}
    refused(verify_bundle(bundle, log.keys), "gate", "release_missing", index_of(log, GatePassed))


def test_a_release_file_changed() -> None:
    """Its folder has another digest then, so it is not the release that the job ran under."""
    log = the_log()
    bundle = log.bundle()
    name = next(name for name in bundle if name.startswith("releases/"))
    bundle[name] = bundle[name].replace(b"top_k = 20", b"top_k = 21")
    refused(verify_bundle(bundle, log.keys), "gate", "release_missing", index_of(log, GatePassed))


def board_of(bundle: dict[str, bytes]) -> Board:
    return msgspec.json.decode(bundle[board_path(BOARD_ID)], type=Board)


def test_a_board_row_changed() -> None:
    log = the_log()
    bundle = log.bundle()
    board = board_of(bundle)
    better = replace(board, rows=(replace(board.rows[0], overall=1_000_000),))
    bundle[board_path(BOARD_ID)] = msgspec.json.encode(better)
    report = verify_bundle(bundle, log.keys)
    refused(report, "board", "board_row_differs", index_of(log, GatePassed))
    assert "overall" in report.refusals[0].problem
    assert "board_digest_differs" in {each.code for each in report.refusals}


def test_a_board_row_of_a_job_that_never_passed() -> None:
    log = the_log()
    bundle = log.bundle()
    board = board_of(bundle)
    row = board.rows[0]
    bundle[board_path(BOARD_ID)] = msgspec.json.encode(replace(board, rows=(replace(row, job_id="job-2"),)))
    refused(verify_bundle(bundle, log.keys), "board", "board_row_unknown", row.log.index)


@pytest.mark.parametrize("code", ["board_rank_wrong", "board_proof_wrong", "board_row_position"])
def test_a_board_rank_a_proof_or_a_position_changed(code: str) -> None:
    log = the_log()
    bundle = log.bundle()
    board = board_of(bundle)
    row = board.rows[0]
    changed = {
        "board_rank_wrong": replace(row, rank=2),
        "board_proof_wrong": replace(row, log=replace(row.log, proof=row.log.proof[:-1])),
        "board_row_position": replace(row, log=replace(row.log, index=row.log.index - 1)),
    }
    bundle[board_path(BOARD_ID)] = msgspec.json.encode(replace(board, rows=(changed[code],)))
    assert verify_bundle(bundle, log.keys).refusals[0].code == code


def test_a_board_under_a_checkpoint_of_another_tree() -> None:
    log = a_published_log()
    other = a_published_log(questions=6)
    bundle = log.bundle()
    board = board_of(bundle)
    bundle[board_path(BOARD_ID)] = msgspec.json.encode(replace(board, checkpoint=other.note(10)))
    refused(verify_bundle(bundle, log.keys), "board", "board_of_other_tree", None)


@pytest.mark.parametrize("decision", [None, "withdraw"])
def test_a_row_that_nobody_approved_or_that_was_withdrawn(decision: str | None) -> None:
    log = a_log_of()
    gate = log.finish("job-1")
    assert isinstance(gate.event, GatePassed)
    if decision is not None:
        for number, said in ((1, "approve"), (2, decision)):
            log.append(an_event(ReviewDecided, job_id="job-1", number=number, decision=said, seal=gate.event.seal))
    log.publish(log.board(gate))
    refused(verify_bundle(log.bundle(), log.keys), "board", "board_row_not_approved", gate.index)


def test_a_job_bundle_without_the_job_that_it_promises() -> None:
    log = the_log()
    bundle = log.bundle("job")
    manifest = msgspec.json.decode(bundle[MANIFEST])
    bundle[MANIFEST] = msgspec.json.encode(manifest | {"jobs": ["job-1", "job-9"]})
    refused(verify_bundle(bundle, log.keys), "chains", "job_incomplete", None)


def test_a_bundle_may_leave_its_single_proofs_out() -> None:
    log = the_log()
    bundle = {name: data for name, data in log.bundle().items() if not name.startswith(PROOFS)}
    assert verify_bundle(bundle, log.keys).verified
