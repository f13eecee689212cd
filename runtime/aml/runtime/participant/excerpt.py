"""The beginning of a body, to be shown in an error. Pure."""

from typing import Final

from aml.runtime.secret import Secret

EXCERPT_CHARS: Final = 300


def excerpt_of(body: bytes, secret: Secret | None) -> str:
    """One printable line of at most `EXCERPT_CHARS`. The key is taken out before the cut: no part of it is left at the edge."""
    window = EXCERPT_CHARS * (1 if secret is None else secret.longest_spelling)
    text = body[:window].decode("utf-8", "backslashreplace")
    if secret is not None:
        text = secret.redact(text)
    text = text[:EXCERPT_CHARS]
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)[
        :EXCERPT_CHARS
    ]
