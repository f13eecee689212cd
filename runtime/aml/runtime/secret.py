"""A participant's key, wrapped so that it shows itself only to `reveal()`.

Keys travel as header values, so a key that could not be one is refused where it enters: HTTP libraries print the bad
header in their error, key and all.
"""

import base64
import html
import json
from typing import NoReturn, SupportsIndex
from urllib.parse import quote

MASK = "[secret]"
MAX_SECRET_CHARS = 4096


class SecretError(ValueError):
    """A key is unusable as a header value. `problem` never quotes the key."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"this key {problem}; paste it again without that")
        self.problem = problem


class Secret:
    """Text that `repr`, `str`, `format`, pickling, copying to JSON and comparison of reprs never show.

    Raises `SecretError` for what cannot be sent as an HTTP header value (RFC 9110 §5.5).
    """

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        if problem := _header_problem(value):
            # Raised from a frame whose locals hold the key: the error itself carries only the problem.
            raise SecretError(problem)
        self.__value = value

    def reveal(self) -> str:
        return self.__value

    def redact(self, text: str) -> str:
        """`text` with each usual spelling of the key (plain, JSON, percent, HTML, Base64, hex) replaced by `[secret]`."""
        for spelling in self._spellings():
            text = text.replace(spelling, MASK)
        return text

    @property
    def longest_spelling(self) -> int:
        """Characters; a window of a text must be cut wider than this before it is redacted."""
        return max(map(len, self._spellings()))

    def _spellings(self) -> tuple[str, ...]:
        value = self.__value
        plain = value.encode("latin-1")
        in_json = (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
        forms = {
            value,
            *in_json,
            *(text.replace("/", "\\/") for text in in_json),
            quote(value, safe=""),
            html.escape(value),
            base64.b64encode(plain).decode(),
            base64.urlsafe_b64encode(plain).decode(),
            plain.hex(),
        }
        return tuple(sorted(forms, key=len, reverse=True))

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    def __str__(self) -> str:
        return MASK

    def __format__(self, spec: str) -> str:
        return format(MASK, spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.reveal() == self.__value

    def __hash__(self) -> int:
        return hash((Secret, self.__value))

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a Secret is neither pickled nor copied; read it from the vault where it is used")


def _header_problem(value: str) -> str | None:
    if not value:
        return "is empty"
    if len(value) > MAX_SECRET_CHARS:
        return f"is longer than {MAX_SECRET_CHARS} characters"
    if value != value.strip():
        return "begins or ends with white space"
    if any(ord(char) > 0xFF for char in value):
        return "has characters that no HTTP header can carry (outside Latin-1)"
    if any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in value):
        return "contains a control character, such as a line break or NUL"
    return None
