"""Why the ledger refuses to go on. None of these mends itself: an operator has to look.

LedgerError
├── SignerKeyInvalid(path, problem)
├── LogWentBack(signed, found)     the database holds fewer entries than were signed
└── LogForked(size, problem)       the rows give another root than the tree, or than what was signed
"""

from pathlib import Path


class LedgerError(Exception):
    """Root of the ledger's own errors."""


class SignerKeyInvalid(LedgerError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class LogWentBack(LedgerError):
    def __init__(self, signed: int, found: int) -> None:
        super().__init__(
            f"the database holds {found} entries, but {signed} were signed: restore the newer database, "
            "or start a new log with a new key and origin"
        )
        self.signed = signed
        self.found = found


class LogForked(LedgerError):
    def __init__(self, size: int, problem: str) -> None:
        super().__init__(f"the log of {size} entries cannot be signed: {problem}")
        self.size = size
        self.problem = problem
