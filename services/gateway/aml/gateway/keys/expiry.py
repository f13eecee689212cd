"""When a key's time is over."""

from datetime import UTC, datetime


def expiry_problem(expires_at: datetime | None, *, now_ms: int) -> str | None:
    """What is wrong with it as the end of a key that is made now."""
    if expires_at is not None and expires_at <= datetime.fromtimestamp(now_ms / 1000, UTC):
        return "is in the past; name a later time, or leave it out"
    return None
