"""The signed head of a bundle: whose it is, who vouches for it, and whether it continues an older one."""

from collections.abc import Sequence

from aml.rules.bundle_tree import BundleTree
from aml.rules.checkpoint import (
    Checkpoint,
    NoteInvalid,
    SignedNote,
    VerifierKey,
    parse_checkpoint,
    parse_note,
    parse_verifier_key,
    verify_note,
)
from aml.rules.witness_policy import PolicyInvalid, QuorumMissing, parse_policy, require_quorum

from .findings import BundleUnusable, Findings

Keys = Sequence[VerifierKey]
"""All of one log: the present one, and perhaps those that it had before a rotation."""


def parse_keys(text: str) -> tuple[VerifierKey, ...]:
    """One verifier key a line. Raises `NoteInvalid`."""
    keys = tuple(parse_verifier_key(line) for line in text.splitlines() if line.strip())
    if not keys:
        raise NoteInvalid("it holds no key")
    if len({key.name for key in keys}) > 1:
        raise NoteInvalid("its keys are of different logs")
    return keys


def open_head(note: str, keys: Keys) -> Checkpoint:
    """The checkpoint in a note that one of the log's keys signed. Raises `NoteInvalid`."""
    checkpoint = parse_checkpoint(verify_note(note, keys))
    if checkpoint.origin != keys[0].name:
        raise NoteInvalid(f"the checkpoint is of the log {checkpoint.origin}, not {keys[0].name}")
    return checkpoint


def read_head(note: str) -> Checkpoint:
    """What the note says, signed or not. Raises `BundleUnusable` when it is no checkpoint."""
    try:
        return parse_checkpoint(parse_note(note).text)
    except NoteInvalid as error:
        raise BundleUnusable("checkpoint_malformed", f"the checkpoint is malformed: {error.problem}") from None


def check_signature(note: str, checkpoint: Checkpoint, keys: Keys, findings: Findings) -> None:
    parsed = parse_note(note)
    if checkpoint.origin != keys[0].name:
        problem = f"the bundle is of the log {checkpoint.origin}, and the key is of {keys[0].name}"
        findings.refuse("signature", "other_log", problem)
        return
    try:
        verify_note(note, keys)
    except NoteInvalid as error:
        findings.refuse("signature", _signature_code(parsed, keys), error.problem)
        return
    known = {(key.name, key.key_id) for key in keys}
    strangers = sum((each.name, each.key_id) not in known for each in parsed.signatures)
    beside = f"; {strangers} signatures of others, which prove nothing here" if strangers else ""
    signed = ", ".join(sorted({each.key_id.hex() for each in parsed.signatures if (each.name, each.key_id) in known}))
    findings.passed("signature", f"{checkpoint.origin}, Ed25519 key {signed}{beside}")


def check_quorum(note: str, policy: str | None, keys: Keys, now_s: int | None, findings: Findings) -> None:
    if policy is None:
        findings.skipped("quorum", "no witness policy: the log's own signature stands alone")
        return
    try:
        trusted = parse_policy(policy)
        if trusted.logs and not {key.public_key for key in keys} & {log.key.public_key for log in trusted.logs}:
            findings.refuse("quorum", "log_not_in_policy", f"the policy does not name the key of {keys[0].name}")
            return
        cosigned = require_quorum(note, trusted, now_s=now_s)
    except PolicyInvalid as error:
        findings.refuse("quorum", "policy_invalid", f"the policy is malformed: {error}")
    except QuorumMissing as error:
        future = any("future" in problem for problem in error.problems)
        findings.refuse("quorum", "cosigned_in_future" if future else "quorum_missing", str(error))
    else:
        findings.passed("quorum", f"{trusted.quorum}: cosigned by {', '.join(cosigned) or 'nobody, as it allows'}")


def check_previous(
    previous: str | None, checkpoint: Checkpoint, tree: BundleTree | None, keys: Keys, findings: Findings
) -> None:
    """The older checkpoint is the reader's own, so only its log is asked for."""
    if previous is None:
        findings.skipped("consistency", "no older checkpoint was given (--previous)")
        return
    try:
        older = open_head(previous, keys)
    except NoteInvalid as error:
        findings.refuse("consistency", "previous_not_of_log", f"the older checkpoint cannot be used: {error.problem}")
        return
    if older.size > checkpoint.size:
        problem = f"the checkpoint covers {checkpoint.size} entries, and one of {older.size} is known"
        findings.refuse("consistency", "checkpoint_replayed", problem, entry=checkpoint.size)
    elif older.size == checkpoint.size:
        if older.root != checkpoint.root:
            problem = f"the log signed two roots for {older.size} entries"
            findings.refuse("consistency", "two_roots", problem, entry=max(0, older.size - 1))
        else:
            findings.passed("consistency", f"the same checkpoint of {older.size:,} entries")
    elif tree is None:
        findings.skipped("consistency", "the bundle's tree cannot be read")
    elif tree.root(older.size) != older.root:
        problem = f"the first {older.size} entries are not those that were signed before"
        findings.refuse("consistency", "history_rewritten", problem, entry=max(0, older.size - 1))
    else:
        findings.passed("consistency", f"continues the checkpoint of {older.size:,} entries")


def _signature_code(note: SignedNote, keys: Keys) -> str:
    known = {(key.name, key.key_id) for key in keys}
    if any((each.name, each.key_id) in known for each in note.signatures):
        return "signature_wrong"
    if any(each.name == keys[0].name for each in note.signatures):
        return "other_key"
    return "signature_missing"
