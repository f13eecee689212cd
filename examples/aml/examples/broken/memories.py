"""Faults of what is remembered, and for whom."""

import unicodedata
from typing import Any

from aml.examples.serve import Add, Search

from .sound import Kept, Refused, Sound


class LeaksAcrossUsers(Sound):
    """Searches everybody's memories."""

    def is_visible(self, kept: Kept, user_id: str) -> bool:  # noqa: ARG002
        return True


class LeaksToPrefixes(Sound):
    """Finds a user by the beginning of the id."""

    def is_visible(self, kept: Kept, user_id: str) -> bool:
        return kept.user_id.startswith(user_id) or kept.user_id == user_id


class LeaksAcrossCase(Sound):
    """Compares user ids without regard to case."""

    def is_visible(self, kept: Kept, user_id: str) -> bool:
        return kept.user_id.casefold() == user_id.casefold()


class ForgetsOnRestart(Sound):
    """Keeps everything in memory only."""

    def record(self, add: Add) -> None: ...


class NotIdempotent(Sound):
    """Writes a repeated request again."""

    def is_repeated(self, add: Add) -> bool:
        super().is_repeated(add)
        return False


class RefusesRetries(Sound):
    """Answers a repeated request with an error."""

    def is_repeated(self, add: Add) -> bool:
        if self.key_of(add) in self.bodies:
            raise Refused(422, "this request_id is taken")
        return False


class LastBodyWins(Sound):
    """Lets a known request_id replace what was written under it."""

    def is_repeated(self, add: Add) -> bool:
        known = self.bodies.get(self.key_of(add))
        if known is not None and known != add:
            self.kept = [kept for kept in self.kept if (kept.user_id, kept.request_id) != (add.user_id, add.request_id)]
        return known == add


class GlobalRequestIds(Sound):
    """Takes a request_id of another user for a retry."""

    def key_of(self, add: Add) -> tuple[str, str]:
        return "", add.request_id

    def is_repeated(self, add: Add) -> bool:
        known = self.bodies.get(self.key_of(add))
        return known is not None and (known.user_id != add.user_id or super().is_repeated(add))


class LateIndex(Sound):
    """Answers Add before the index has the messages: the first Search after it comes too early."""

    _waiting: tuple[Kept, ...] = ()

    def write(self, add: Add) -> None:
        before = len(self.kept)
        super().write(add)
        self._waiting = (*self._waiting, *self.kept[before:])
        del self.kept[before:]

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:
        self.kept += self._waiting
        self._waiting = ()
        return super().search_reply(items, search)


class RemembersNothing(Sound):
    """Says success, and keeps nothing."""

    def write(self, add: Add) -> None: ...


class AsciiOnly(Sound):
    """Drops every character outside of ASCII."""

    def stored(self, text: str) -> str:
        return text.encode("ascii", "ignore").decode().strip()


class NormalisesText(Sound):
    """Stores text in Unicode's compatibility form."""

    def stored(self, text: str) -> str:
        return unicodedata.normalize("NFKC", text)


class FirstMessagesOnly(Sound):
    """Keeps ten messages of a request."""

    def write(self, add: Add) -> None:
        super().write(Add(add.request_id, add.messages[:10], add.user_id, add.session_id))


class CutsLongText(Sound):
    """Keeps the first 400 words of a message, as an embedding's window does."""

    def stored(self, text: str) -> str:
        words = text.split(" ")
        return text if len(words) <= 400 else " ".join(words[:400])


class InventsMemories(Sound):
    """Answers for users who never wrote."""

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:
        invented = {"id": "m0", "content": "No memories were found for this user.", "score": 0.0}
        return super().search_reply(items or [invented], search)
