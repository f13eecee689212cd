"""Texts of others on a terminal: nothing in them moves the cursor, changes colours or starts a new line."""


def shown(text: str | None, limit: int = 200) -> str:
    """One line of at most `limit` characters; a dash for what is not there."""
    if text is None:
        return "—"
    line = one_line(text)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def one_line(text: str) -> str:
    """Whole; printable characters and single spaces only."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
