"""What a verification finds: which checks passed, and each thing that is wrong with its code and its entry."""

from typing import Final, Literal

from msgspec import Struct

CheckName = Literal[
    "signature", "quorum", "root", "consistency", "entries", "chains", "proofs", "openings", "gate", "board"
]
ORDER: Final[tuple[CheckName, ...]] = (
    "signature", "quorum", "root", "consistency", "entries", "chains", "proofs", "openings", "gate", "board",
)  # fmt: skip
KEPT: Final = 100
"""Refusals that are listed; the rest are counted."""


class BundleUnusable(Exception):
    """There is nothing that could be verified: not a bundle, not a whole one, or of another version."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem


class Refusal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    check: CheckName
    code: str
    """Stable, for programs."""
    problem: str
    """One line, for people."""
    entry: int | None = None
    """The log entry that is wrong, where one can be named."""
    job: str | None = None


class CheckDone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: CheckName
    outcome: Literal["passed", "refused", "skipped"]
    detail: str


class AuditReport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    verified: bool
    scope: str
    origin: str
    size: int
    """Entries under the checkpoint."""
    root: str
    entries: int
    """Entries that were read."""
    jobs: tuple[str, ...]
    """Jobs whose every entry was read."""
    checks: tuple[CheckDone, ...]
    refusals: tuple[Refusal, ...]
    """In the order of the checks; the first is the reason."""
    refused: int
    """All of them, also those beyond the listed ones."""
    first_entry: int | None
    """The lowest entry that a refusal names."""


class Findings:
    """Collects while the checks run; `report` closes it."""

    def __init__(self) -> None:
        self._refusals: list[Refusal] = []
        self._count = 0
        self._done: dict[CheckName, CheckDone] = {}

    def refuse(
        self, check: CheckName, code: str, problem: str, *, entry: int | None = None, job: str | None = None
    ) -> None:
        self._count += 1
        if len(self._refusals) < KEPT:
            self._refusals.append(Refusal(check=check, code=code, problem=problem, entry=entry, job=job))

    def passed(self, check: CheckName, detail: str) -> None:
        """Unless something of this check was refused."""
        if not self.is_refused(check):
            self._done[check] = CheckDone(name=check, outcome="passed", detail=detail)

    def skipped(self, check: CheckName, detail: str) -> None:
        self._done[check] = CheckDone(name=check, outcome="skipped", detail=detail)

    def is_refused(self, check: CheckName) -> bool:
        return any(each.check == check for each in self._refusals)

    def report(
        self, *, scope: str, origin: str, size: int, root: str, entries: int, jobs: tuple[str, ...]
    ) -> AuditReport:
        refusals = tuple(sorted(self._refusals, key=lambda each: ORDER.index(each.check)))
        return AuditReport(
            verified=not refusals,
            scope=scope,
            origin=origin,
            size=size,
            root=root,
            entries=entries,
            jobs=jobs,
            checks=tuple(self._check(name) for name in ORDER),
            refusals=refusals,
            refused=self._count,
            first_entry=min((each.entry for each in refusals if each.entry is not None), default=None),
        )

    def _check(self, name: CheckName) -> CheckDone:
        mine = [each for each in self._refusals if each.check == name]
        if mine:
            return CheckDone(name=name, outcome="refused", detail=mine[0].problem)
        return self._done.get(name) or CheckDone(name=name, outcome="skipped", detail="not reached")
