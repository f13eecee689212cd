"""How long a crashed process waits before it is started again."""

FIRST_DELAY_S = 0.1
LONGEST_DELAY_S = 10.0
STEADY_AFTER_S = 30.0
"""A process that ran this long is taken for healthy: its next crash starts the count anew."""

CRASHES_BEFORE_GIVING_UP = 3
"""Of a process that has never been ready: it is misconfigured, and starting it again only hides the reason."""


def restart_delay_s(crashes: int) -> float:
    """`crashes` in a row, at least 1. Doubles from 0.1 s to 10 s."""
    return float(min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** (crashes - 1)))


def crashes_in_a_row(before: int, ran_s: float) -> int:
    """The count after one more crash of a process that had run for `ran_s` seconds."""
    return 1 if ran_s >= STEADY_AFTER_S else before + 1
