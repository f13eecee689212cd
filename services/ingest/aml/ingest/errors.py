"""Why a job cannot be planned here.

IngestError
├── PipelineMismatch   the job was requested for other code
├── ReleaseMismatch    the job was requested under other release files
└── ReleaseUnusable    the release's files are missing here, or wrong
"""


class IngestError(Exception):
    """Root of this service's own errors; those of datasets are in `benchmarks.errors`."""


class PipelineMismatch(IngestError):
    def __init__(self, requested: str, running: str) -> None:
        super().__init__(
            f"the job asks for pipeline {requested[:16]}…, and this worker runs {running[:16]}…; "
            "deploy one version everywhere, then request the job again"
        )
        self.requested = requested
        self.running = running


class ReleaseMismatch(IngestError):
    def __init__(self, release_id: str, requested: str, found: str) -> None:
        super().__init__(
            f"release {release_id} was requested as {requested[:16]}…, and its files here are {found[:16]}…; "
            "restore the locked files or lock the new ones"
        )
        self.release_id = release_id
        self.requested = requested
        self.found = found


class ReleaseUnusable(IngestError):
    def __init__(self, release_id: str, problem: str) -> None:
        """`problem` names no folder of this machine: the participant reads it."""
        super().__init__(f"release {release_id} cannot be used here: {problem}")
        self.release_id = release_id
        self.problem = problem
