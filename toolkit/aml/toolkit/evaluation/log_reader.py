"""The ledger's signed head, read from the local stack and checked against the verifier key in its data folder."""

from pathlib import Path

import httpx
from msgspec import Struct

from aml.rules.checkpoint import NoteInvalid, VerifierKey, open_checkpoint, parse_verifier_key

from .errors import EvaluationError

TIMEOUT_SECONDS = 10.0


class LogUnreadable(EvaluationError):
    def __init__(self, problem: str) -> None:
        super().__init__(f"the ledger's log cannot be verified: {problem}")
        self.problem = problem


class CheckpointShown(Struct, frozen=True, kw_only=True):
    origin: str
    size: int
    root: str
    """Hex."""
    note: str
    """The signed note as published."""
    verifier_key: str
    verified: bool
    """The note carries a valid signature of `verifier_key`."""


def read_verifier(file: Path) -> VerifierKey:
    """Raises `LogUnreadable`."""
    try:
        return parse_verifier_key(file.read_text("utf-8"))
    except OSError as error:
        raise LogUnreadable(f"{file} cannot be read ({error.strerror})") from None
    except NoteInvalid as error:
        raise LogUnreadable(f"{file} holds no verifier key: {error.problem}") from None


def open_note(note: str, key: VerifierKey) -> CheckpointShown:
    """Raises `LogUnreadable` for a note without a valid signature of `key`."""
    try:
        checkpoint = open_checkpoint(note, key)
    except NoteInvalid as error:
        raise LogUnreadable(error.problem) from None
    return CheckpointShown(
        origin=checkpoint.origin,
        size=checkpoint.size,
        root=checkpoint.root.hex(),
        note=note,
        verifier_key=str(key),
        verified=True,
    )


async def read_checkpoint(ledger_url: str, key: VerifierKey) -> CheckpointShown:
    """Raises `LogUnreadable`."""
    async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS, trust_env=False) as http:
        try:
            answer = await http.get(f"{ledger_url}/log/checkpoint")
        except httpx.HTTPError as error:
            raise LogUnreadable(f"{ledger_url} does not answer ({error or type(error).__name__})") from None
    if not answer.is_success:
        raise LogUnreadable(f"{ledger_url}/log/checkpoint answered {answer.status_code}")
    return open_note(answer.text, key)
