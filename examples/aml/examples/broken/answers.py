"""Faults of what Search answers."""

from typing import Any

from aml.examples.serve import Search

from .sound import Kept, Refused, Sound


class ItemsWrapper(Sound):
    """Wraps the list once more."""

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:  # noqa: ARG002
        return {"data": {"items": items}}


class TopLevelArray(Sound):
    """Answers with the bare list."""

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:  # noqa: ARG002
        return items


class OverTopK(Sound):
    """Does not read top_k."""

    def cut(self, found: list[tuple[float, Kept]], top_k: int) -> list[tuple[float, Kept]]:  # noqa: ARG002
        return found


class EmptyContent(Sound):
    """Returns items without text."""

    def item(self, score: float, kept: Kept) -> dict[str, Any]:
        return super().item(score, kept) | {"content": ""}


class NumericId(Sound):
    """Returns the row's number as id."""

    def item(self, score: float, kept: Kept) -> dict[str, Any]:
        return super().item(score, kept) | {"id": kept.number}


class ScoreAsText(Sound):
    """Returns the score as a string."""

    def item(self, score: float, kept: Kept) -> dict[str, Any]:
        return super().item(score, kept) | {"score": f"{score:.2f}"}


class NotANumber(Sound):
    """Returns NaN, which is no JSON."""

    def encode(self, value: Any) -> bytes:
        return super().encode(value).replace(b'"score":', b'"score":NaN,"was":')


class NotFoundForStrangers(Sound):
    """Answers 404 for a user who never wrote."""

    def check_search(self, search: Search) -> None:
        if not any(kept.user_id == search.user_id for kept in self.kept):
            raise Refused(404, "no such user")


class NullForNothing(Sound):
    """data is null when nothing is found."""

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:  # noqa: ARG002
        return {"data": items or None}


class WorstFirst(Sound):
    """Sorts by rising relevance."""

    def cut(self, found: list[tuple[float, Kept]], top_k: int) -> list[tuple[float, Kept]]:
        return super().cut(found[::-1], top_k)


class IdsOfTheMoment(Sound):
    """Gives each answer's items new ids."""

    searches = 0

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:
        self.searches += 1
        return super().search_reply([each | {"id": f"{self.searches}-{each['id']}"} for each in items], search)


class NoOptions(Sound):
    """Refuses a question with options."""

    def check_search(self, search: Search) -> None:
        if search.options:
            raise Refused(422, "unknown field: options")


class NoParts(Sound):
    """Takes text only, on whatever track."""

    def check_search(self, search: Search) -> None:
        if not isinstance(search.query, str):
            raise Refused(422, "query must be a string")
