"""Numbers as the board prints them. Integer arithmetic only, so that the same state gives the same bytes."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

MISSING = "—"


def percent(millionths: int | None) -> str:
    """0–100 with one decimal, halves up."""
    if millionths is None:
        return MISSING
    tenths = (millionths + 500) // 1000
    return f"{tenths // 10}.{tenths % 10}"


def duration(micros: int | None) -> str:
    """Milliseconds below 10 s (one decimal below 10 ms), else seconds."""
    if micros is None:
        return MISSING
    if micros < 10_000:
        tenths = (micros + 50) // 100
        return f"{tenths // 10}.{tenths % 10} ms"
    if micros < 10_000_000:
        return f"{(micros + 500) // 1000:,} ms"
    tenths = (micros + 50_000) // 100_000
    return f"{tenths // 10}.{tenths % 10} s"


def count(number: int) -> str:
    return f"{number:,}"


def moment(millis: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=millis)


def utc_date(millis: int) -> str:
    return moment(millis).strftime("%Y-%m-%d")


def utc_minute(millis: int) -> str:
    return moment(millis).strftime("%Y-%m-%d %H:%M UTC")


def iso_instant(millis: int) -> str:
    return moment(millis).strftime("%Y-%m-%dT%H:%M:%SZ")


def margin(overall: int, low: int, high: int) -> str:
    """The wider half of the interval, as ± shows it."""
    return percent(max(high - overall, overall - low))


def latency_tick(micros: int) -> str:
    """A whole step of a latency axis."""
    if micros < 1000:
        return f"{micros} µs"
    return f"{micros // 1000} ms" if micros < 1_000_000 else f"{micros // 1_000_000} s"


def tokens_tick(tokens: int) -> str:
    """A whole step of an axis of tokens."""
    if tokens < 1000:
        return str(tokens)
    return f"{tokens // 1000}k" if tokens < 1_000_000 else f"{tokens // 1_000_000}M"


def millis_of(instant: datetime) -> int:
    """For an instant with its offset; what the functions of UTC take."""
    return (instant - _EPOCH) // timedelta(milliseconds=1)


def zoned_minute(instant: datetime, zone: str) -> str:
    """As it was announced, with the zone beside it."""
    return f"{instant:%Y-%m-%d %H:%M} {zone}"
