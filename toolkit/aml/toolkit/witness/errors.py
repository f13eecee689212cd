"""Why a witness does not start, or does not cosign.

WitnessError
├── WitnessUnusable            its key, its list of logs or its folder
└── CheckpointRefused          with the HTTP status that https://c2sp.org/tlog-witness asks for
"""


class WitnessError(Exception):
    """Root of the witness's own errors."""


class WitnessUnusable(WitnessError):
    pass


class CheckpointRefused(WitnessError):
    """`known_size` is what the witness cosigned last, where the answer has to say so (409)."""

    def __init__(self, status: int, problem: str, known_size: int | None = None) -> None:
        super().__init__(problem)
        self.status = status
        self.problem = problem
        self.known_size = known_size
