"""What can keep the local stack from running.

LocalStackError
├── HomeBusy            another `aml` holds this data folder          (home.py)
├── HomeUnusable        the data folder cannot be made or written     (home.py)
├── ProgramMissing      no usable nats-server or Postgres             (this file)
├── PostgresUnusable    the database cannot be made or started        (postgres_place.py)
├── GivenServerUnusable a broker or database of the user's own      (given_servers.py)
├── NoFreePort          nothing free in the range                     (ports.py)
├── StartFailed         a process never became ready                  (charge.py)
└── StackUnresponsive   the supervisor does not do what it was asked  (stack.py)
"""


class LocalStackError(Exception):
    """Root. The message is one line that says what to do next."""


class ProgramMissing(LocalStackError):
    def __init__(self, program: str, remedy: str) -> None:
        super().__init__(f"{program} was not found: {remedy}")
        self.program = program
        self.remedy = remedy
