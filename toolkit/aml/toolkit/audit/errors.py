"""What can keep an audit from being made. Every message is one line that says what to do next.

AuditError
├── SourceUnreadable   the log, its boards or its evidence cannot be read now   (this file)
├── LogDiffers         the log is not what its own checkpoint says              (this file)
├── NothingToExport    there is no such job, or no board                        (this file)
├── ReleaseAbsent      a job's release folder is not here                       (this file)
└── EvidenceClosed     the bundle opens no evidence of the job                  (this file)
"""


class AuditError(Exception):
    """Root."""


class SourceUnreadable(AuditError):
    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{source}: {problem}")
        self.source = source
        self.problem = problem


class LogDiffers(AuditError):
    """The export stops: a bundle of such a log would only be refused later, by somebody who cannot ask."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the log contradicts its own checkpoint: {problem}; nothing was written")
        self.problem = problem


class NothingToExport(AuditError):
    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class ReleaseAbsent(AuditError):
    def __init__(self, release_id: str, digest: str) -> None:
        super().__init__(
            f"jobs ran under release {release_id} ({digest[:12]}…), and no folder of this digest is here;"
            " name it with --releases FOLDER"
        )
        self.release_id = release_id
        self.digest = digest


class EvidenceClosed(AuditError):
    def __init__(self, job_id: str) -> None:
        super().__init__(f"the bundle opens no evidence of job {job_id}; export it with --open")
        self.job_id = job_id
