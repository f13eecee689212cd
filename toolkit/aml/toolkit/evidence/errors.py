"""What can keep evidence from being tended. Every message is one line that says what to do next.

EvidenceError
├── KeyFileFixed    the key file cannot be replaced from here         (this file)
├── NothingToRetire --finish without an older version                 (this file)
├── JobUnknown      the log has no such job                           (this file)
├── JobNotOver      its evidence is still worked with                 (this file)
└── LogTooShort     the store holds more than the log can speak for   (this file)
"""

from pathlib import Path


class EvidenceError(Exception):
    """Root."""


class KeyFileFixed(EvidenceError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} cannot be replaced ({problem}); write it where the secret is kept, then come again")
        self.path = path
        self.problem = problem


class NothingToRetire(EvidenceError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} holds one version of the key; --finish ends a rotation, and none is under way")
        self.path = path


class JobUnknown(EvidenceError):
    def __init__(self, job_id: str) -> None:
        super().__init__(f"the log has no job {job_id}; nothing was destroyed")
        self.job_id = job_id


class JobNotOver(EvidenceError):
    def __init__(self, job_id: str) -> None:
        super().__init__(f"job {job_id} is not sealed yet; cancel it, or wait for its end; nothing was destroyed")
        self.job_id = job_id


class LogTooShort(EvidenceError):
    """A restored or emptied ledger must not turn everybody's evidence into orphans."""

    def __init__(self, unknown: int, known: int) -> None:
        super().__init__(
            f"the log does not know {unknown} of the {unknown + known} jobs with evidence older than the grace period;"
            " is this the store's own log? Nothing was removed; --force removes them all the same"
        )
        self.unknown = unknown
        self.known = known
