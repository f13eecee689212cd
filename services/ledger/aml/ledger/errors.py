"""Why the ledger refuses to go on, or has to wait.

LedgerError
├── SignerKeyInvalid(path, problem)
├── PolicyUnusable(path, problem)
├── LogWentBack(signed, found)            the database holds fewer entries than were signed
├── LogForked(size, problem)              the rows give another root than the tree, or than what was signed
├── LogStoreForeign(problem)              the folder or bucket of the public log holds another log
├── LogStoreUnavailable(path, problem)    it cannot be read or written now: full, unreachable
└── QuorumPending(size, problem)          too few witnesses have cosigned yet

The last two mend themselves when the disk or the witnesses are back. For the others an operator has to look, and nothing is
appended until then (`LOG_REFUSED`).
"""

from pathlib import Path


class LedgerError(Exception):
    """Root of the ledger's own errors."""


class SignerKeyInvalid(LedgerError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class PolicyUnusable(LedgerError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"the policy of witnesses {path} cannot be used: {problem}")
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
    """`index` is the entry at fault, where one can be named."""

    def __init__(self, size: int, problem: str, index: int | None = None) -> None:
        super().__init__(f"the log of {size} entries cannot be signed: {problem}")
        self.size = size
        self.problem = problem
        self.index = index


class LogStoreForeign(LedgerError):
    def __init__(self, problem: str) -> None:
        super().__init__(f"the log's public store is not this log's: {problem}")
        self.problem = problem


class LogStoreUnavailable(LedgerError):
    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"the log's public store cannot be used: {path}: {problem}")
        self.path = path
        self.problem = problem


class QuorumPending(LedgerError):
    def __init__(self, size: int, problem: str) -> None:
        super().__init__(f"the checkpoint of {size} entries is not published: {problem}")
        self.size = size
        self.problem = problem


LOG_REFUSED = (SignerKeyInvalid, LogWentBack, LogForked, LogStoreForeign)
