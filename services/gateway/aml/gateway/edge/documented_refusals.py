"""Which refusals the OpenAPI document names for a route, and their one form."""

from collections import Counter
from collections.abc import Iterator

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from msgspec import UNSET, Struct, UnsetType

from aml.gateway.errors import Refused

from .refusal_examples import refusal_examples


class FieldProblem(Struct, frozen=True, kw_only=True):
    field: str
    problem: str


class RefusalDetail(Struct, frozen=True, kw_only=True):
    """Some reasons come with further members: the job that is active, the quota that is used up."""

    reason: str
    """Stable, for programs."""
    message: str
    """For people: what is wrong and what to do."""
    fields: tuple[FieldProblem, ...] | UnsetType = UNSET


class Refusal(Struct, frozen=True, kw_only=True):
    detail: RefusalDetail


_MEANING = {
    400: "The request cannot be read",
    401: "No key, or one that is unknown, replaced, revoked or expired",
    403: "A good key that may not do this",
    404: "There is no such thing that this key may see",
    408: "The sender stood still, or took too long",
    409: "The thing is not in a state for it",
    413: "The body is larger than this path takes",
    415: "The body says that it is something else than JSON",
    422: "Fields that are wrong, each with its problem",
    429: "Too many requests, or no run is left for now; `Retry-After` says when the next one is possible",
    503: "Something that the platform needs is away; try again",
}


def refusals_of(handler: HTTPRouteHandler) -> dict[int, ResponseSpec]:
    """By what the route takes: a key or a token, an id in its path, a body. Each with an example of its own."""
    examples = refusal_examples(handler)
    return {
        status: ResponseSpec(
            data_container=Refusal,
            description=_MEANING[status],
            generate_examples=False,
            examples=[
                Example(id=name, summary=found.message, value=msgspec.to_builtins({"detail": _detail(found)}))
                for name, found in _named(examples[status])
            ],
        )
        for status in sorted(examples)
    }


def _named(refusals: list[Refused]) -> Iterator[tuple[str, Refused]]:
    """By the reason, numbered from its second message on."""
    met: Counter[str] = Counter()
    for each in refusals:
        met[each.reason] += 1
        yield each.reason if met[each.reason] == 1 else f"{each.reason}_{met[each.reason]}", each


def _detail(refused: Refused) -> dict[str, object]:
    return {"reason": refused.reason, "message": refused.message, **refused.more}
