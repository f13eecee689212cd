"""Why a row or a board is not published.

PublisherError
├── LedgerUnavailable   the ledger did not answer, or not in its own form: again later
├── CheckpointRejected  the signed note does not verify, or it lies before one that was used already
├── EntryPending        the log does not hold the row's entry under the checkpoint yet: again later
└── RowRejected         the log contradicts the row: it is never published
"""


class PublisherError(Exception):
    pass


class LedgerUnavailable(PublisherError):
    def __init__(self, path: str, problem: str, status: int | None = None) -> None:
        super().__init__(f"the ledger's {path} is unusable: {problem}")
        self.status = status
        self.path = path
        self.problem = problem


class CheckpointRejected(PublisherError):
    def __init__(self, problem: str) -> None:
        super().__init__(f"the ledger's checkpoint is refused: {problem}")
        self.problem = problem


class EntryPending(PublisherError):
    def __init__(self, job_id: str) -> None:
        super().__init__(f"job {job_id}: its gate entry is not under the checkpoint yet")
        self.job_id = job_id


class RowRejected(PublisherError):
    def __init__(self, job_id: str, problem: str) -> None:
        super().__init__(f"job {job_id}: {problem}")
        self.job_id = job_id
        self.problem = problem
