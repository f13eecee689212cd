"""Numbers as the report prints them. Scores and points are 0 to 100 with one decimal."""

MISSING = "—"


def score(value: float | None) -> str:
    return MISSING if value is None else f"{value:.1f}"


def interval(low: float | None, high: float | None) -> str:
    return MISSING if low is None or high is None else f"{low:.1f}–{high:.1f}"


def points(value: float | None) -> str:
    """With its sign; a minus sign, not a hyphen."""
    if value is None:
        return MISSING
    shown = f"{abs(value):.1f}"
    if shown == "0.0":
        return "±0.0"
    return f"{'+' if value > 0 else '−'}{shown}"


def count(number: int) -> str:
    return f"{number:,}"


def duration(millis: float | None) -> str:
    """Milliseconds below 10 s (one decimal below 10 ms), else seconds."""
    if millis is None:
        return MISSING
    if millis < 10:
        return f"{millis:.1f} ms"
    return f"{millis:,.0f} ms" if millis < 10_000 else f"{millis / 1000:,.1f} s"


def money(amount: float | None) -> str:
    """In whatever currency the price was given in."""
    if amount is None:
        return MISSING
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.6f}".rstrip("0").rstrip(".") or "0"


def p_value(millionths: int) -> str:
    return "< 0.001" if millionths < 1000 else f"{millionths / 1_000_000:.3f}"


def minute(instant: str) -> str:
    """An RFC 3339 instant of UTC to the minute, with the zone; anything else as it is."""
    day, mark, clock = instant.partition("T")
    if mark and len(day) == 10 and instant.endswith(("Z", "+00:00")) and len(clock) >= 5:
        return f"{day} {clock[:5]} UTC"
    return instant
