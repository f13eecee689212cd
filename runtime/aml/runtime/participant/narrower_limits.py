"""Two parties' limits for one call, of which the tighter holds: the release's and what the participant declared. Pure."""

from msgspec.structs import asdict

from aml.contracts.participant import CallLimits


def narrower(one: CallLimits, other: CallLimits) -> CallLimits:
    theirs = asdict(other)
    return CallLimits(**{name: min(value, theirs[name]) for name, value in asdict(one).items()})
