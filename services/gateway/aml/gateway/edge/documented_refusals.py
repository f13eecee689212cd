"""Which refusals the OpenAPI document names for a route, and their one form."""

import inspect

from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET, Struct, UnsetType


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
    401: "No key, or one that is unknown or revoked",
    403: "A good key that may not do this",
    404: "There is no such thing that this key may see",
    408: "The sender stood still, or took too long",
    409: "The thing is not in a state for it",
    413: "The body is larger than this path takes",
    422: "Fields that are wrong, each with its problem",
    429: "Too many requests, or no run is left for now; `Retry-After` says when the next one is possible",
    503: "Something that the platform needs is away; try again",
}


def refusals_of(handler: HTTPRouteHandler) -> dict[int, ResponseSpec]:
    """By what the route takes: a key or a claim token, an id in its path, a body."""
    statuses = {400, 422, 429, 503}
    if handler.guards or any(path.startswith(("/access-requests", "/benchmark-proposals")) for path in handler.paths):
        statuses |= {401, 403}
    if any("{" in path for path in handler.paths) or (handler.guards and _names_something(handler)):
        statuses |= {404}
    if handler.http_methods & {"POST", "PUT", "PATCH"}:
        statuses |= {409, 413}
    if handler.request_max_body_size is None:
        statuses |= {408}
    return {
        status: ResponseSpec(data_container=Refusal, description=_MEANING[status], generate_examples=False)
        for status in sorted(statuses)
    }


def _names_something(handler: HTTPRouteHandler) -> bool:
    """In its body or its query, which may be there for others and not for this caller."""
    return any(name == "data" or name.endswith("_id") for name in inspect.signature(handler.fn).parameters)
