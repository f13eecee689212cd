"""What a check is, and how it ends."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aml.contracts.doctor import CheckOutcome

from .visit import Call, Visit


@dataclass(frozen=True, kw_only=True)
class Finding:
    outcome: CheckOutcome
    code: str
    text: str
    """One sentence without a full stop."""
    mend: str | None = None
    """Instead of the check's own advice, where more is known."""
    about: Call | None = None
    """The call that shows it; without one the check's last call is shown."""


def passed(text: str, *, about: Call | None = None) -> Finding:
    return Finding(outcome="passed", code="ok", text=text, about=about)


def failed(code: str, text: str, *, mend: str | None = None, about: Call | None = None) -> Finding:
    return Finding(outcome="failed", code=code, text=text, mend=mend, about=about)


def warned(code: str, text: str, *, mend: str | None = None, about: Call | None = None) -> Finding:
    return Finding(outcome="warning", code=code, text=text, mend=mend, about=about)


def skipped(code: str, text: str) -> Finding:
    return Finding(outcome="skipped", code=code, text=text, mend="")


@dataclass(frozen=True, kw_only=True)
class Check:
    """`run` may let a `ParticipantError` pass: it becomes the finding, as a warning where the check only `informs`."""

    name: str
    title: str
    why: str
    mend: str
    run: Callable[[Visit], Awaitable[Finding]]
    needs: tuple[str, ...] = ("add", "search", "read_your_write")
    """Checks without whose success this one would only repeat their failure."""
    informs: bool = False
