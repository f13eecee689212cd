"""What can keep a system from being evaluated. Every message is one line that says what to do next.

EvaluationError
├── WrongUsage               what was asked for cannot be                        (this file)
├── SystemUnhealthy          the system under test does not answer              (health_check.py)
├── ExampleFailed            an example system did not start                    (example_participant.py)
├── JobStalled               a job stands still                                 (follow_job.py)
├── JobParked                units of a job wait for an operator                (follow_job.py)
├── JobRejected              the platform could not even plan the job           (evaluate.py)
├── RunUnfinished            the platform broke down under a run, which is stored (evaluate.py)
└── LogUnreadable            the ledger gives no checkpoint that can be trusted (log_reader.py)
"""


class EvaluationError(Exception):
    """Root."""


class WrongUsage(EvaluationError):
    """`option` is the one to change."""

    def __init__(self, option: str, problem: str) -> None:
        super().__init__(f"{option}: {problem}")
        self.option = option
        self.problem = problem
