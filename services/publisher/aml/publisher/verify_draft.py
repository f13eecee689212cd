"""All rows of a draft against one checkpoint: which of them the log proves, which it contradicts, which it lacks."""

import asyncio
from dataclasses import dataclass, field

from .collect_board import BoardDraft, Candidate
from .errors import EntryPending, LedgerUnavailable, RowRejected
from .verify_row import Log, SignedCheckpoint, VerifiedRow, verify_row

_AT_ONCE = 16


@dataclass(frozen=True, kw_only=True)
class VerifiedDraft:
    signed: SignedCheckpoint
    rows: dict[str, VerifiedRow] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    """Not in the log yet, by job, with the line that says so."""
    rejected: dict[str, str] = field(default_factory=dict)
    """Contradicted by the log, by job, with the line that says how."""


class DraftVerifier:
    """Remembers the entries that it has seen proven: a later board needs only new proofs for them."""

    def __init__(self, ledger: Log) -> None:
        self._ledger = ledger
        self._entries: dict[str, bytes] = {}

    async def verified(self, draft: BoardDraft, signed: SignedCheckpoint) -> VerifiedDraft:
        """Raises `LedgerUnavailable` once all checks have ended, if any met it."""
        found = VerifiedDraft(signed=signed)
        unavailable: list[LedgerUnavailable] = []
        slots = asyncio.Semaphore(_AT_ONCE)

        async def check(one: Candidate) -> None:
            async with slots:
                try:
                    row = await verify_row(self._ledger, signed, one.gate, self._entries.get(one.job_id))
                except LedgerUnavailable as error:
                    unavailable.append(error)
                except EntryPending as error:
                    found.pending[one.job_id] = str(error)
                except RowRejected as error:
                    self._entries.pop(one.job_id, None)
                    found.rejected[one.job_id] = str(error)
                else:
                    self._entries[one.job_id] = row.entry.encode()
                    found.rows[one.job_id] = row

        await asyncio.gather(*(check(one) for one in draft.candidates))
        if unavailable:
            raise unavailable[0]
        return found
