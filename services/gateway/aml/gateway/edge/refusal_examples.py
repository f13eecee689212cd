"""What a route can refuse, status by status, as the errors themselves. A status without an example is not documented."""

import inspect
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from litestar.handlers import HTTPRouteHandler

from aml.gateway.errors import (
    FieldsInvalid,
    MediaTypeUnknown,
    MustWait,
    OwnSystem,
    QuotaRefused,
    Refused,
    RoleMissing,
    StateConflict,
    TooLarge,
    TooSlow,
    Unauthenticated,
    Unavailable,
    Unknown,
)
from aml.rules.quota import QuotaExceeded

from .examples import EXAMPLES, RouteExample
from .json_body import takes_json
from .route_access import RouteAccess, access_of

ALL_ROLES: Final = ("participant", "reviewer", "operator")

_OF_PARAMETER: Final[Mapping[str, tuple[str, str]]] = {
    "access_id": ("access_request", "acc-0000"),
    "version_id": ("version", "ver-0000"),
    "job_id": ("job", "job-0000"),
    "unit": ("question", "00000000000000000000"),
    "proposal_id": ("proposal", "prop-0000"),
    "key_id": ("key", "key-0000"),
    "cycle_id": ("cycle", "2029-9"),
    "index": ("log_entry", "proof/999999"),
}
_QUOTA_ROUTES: Final = ("create_job", "resume")
_IMPARTIAL_ROUTES: Final = ("approve", "decline", "decide_review", "decide_proposal")
_NEXT_MONTH_MS: Final = int(datetime(2026, 10, 7, 8, 42, tzinfo=UTC).timestamp() * 1000)


def refusal_examples(handler: HTTPRouteHandler) -> dict[int, list[Refused]]:
    name = handler.fn.__name__
    example = EXAMPLES.get(name)
    parameters = list(inspect.signature(handler.fn).parameters)
    access = access_of(handler)
    found: dict[int, list[Refused]] = {
        400: [Refused("request_malformed", "the request cannot be read; send it as HTTP/1.1, a body as JSON in UTF-8")],
        401: _unauthenticated(access),
        403: _forbidden(name, access),
        404: _unknown(parameters, example),
        409: [StateConflict(each.reason, each.message, **each.more) for each in (example.conflicts if example else ())],
        422: [_invalid(parameters, example)],
        429: _too_many(name, example),
        503: [Unavailable("database_unavailable", "the database is not reachable now")],
    }
    if handler.http_methods & {"POST", "PUT", "PATCH"}:
        found[413] = [TooLarge("body_too_large", "the body is larger than this path takes")]
    if takes_json(handler):
        found[415] = [MediaTypeUnknown()]
    if handler.request_max_body_size is None:
        found[408] = [TooSlow("upload_too_slow", "the upload stood still or took too long; send it again")]
    return {status: refused for status, refused in found.items() if refused}


def _unauthenticated(access: RouteAccess | None) -> list[Refused]:
    if access is None:
        return []
    if "claim token" in access.instead and not access.roles:
        reasons = ["key_missing", "claim_token_unknown"]
    else:
        reasons = ["key_unknown", "key_replaced", "key_revoked", "key_expired"]
        reasons = ["key_missing", *reasons] if access.key_needed else reasons
    return [Unauthenticated(reason) for reason in reasons]


def _forbidden(name: str, access: RouteAccess | None) -> list[Refused]:
    if access is None or not access.roles:
        return []
    other = next((role for role in ALL_ROLES if role not in access.roles), None)
    missing: list[Refused] = [] if other is None else [RoleMissing(access.roles, other)]
    return [*missing, OwnSystem()] if name in _IMPARTIAL_ROUTES else missing


def _unknown(parameters: list[str], example: RouteExample | None) -> list[Refused]:
    if example is not None and example.unknown:
        return [Unknown(example.unknown, f"{example.unknown}-0000")]
    return [Unknown(*_OF_PARAMETER[name]) for name in parameters if name in _OF_PARAMETER]


def _invalid(parameters: list[str], example: RouteExample | None) -> Refused:
    if example is not None and example.invalid is not None:
        return FieldsInvalid(dict([example.invalid]))
    if "data" in parameters:
        return FieldsInvalid({"body": "Object contains unknown field `surprise`"})
    if "limit" in parameters:
        return FieldsInvalid({"limit": "Expected `int` <= 500"})
    return FieldsInvalid({next((name for name in parameters if name.endswith("_id")), "body"): "cannot be read"})


def _too_many(name: str, example: RouteExample | None) -> list[Refused]:
    said = "too many requests; the next one is possible in 1 s, and `Retry-After` says so each time"
    limited = Refused("rate_limited", said)
    if name not in _QUOTA_ROUTES:
        waits = example.waits if example else ()
        return [*(MustWait(each.reason, each.problem, each.seconds) for each in waits), limited]
    return [QuotaRefused(QuotaExceeded(mode="full", used=2, limit=2, available_at=_NEXT_MONTH_MS)), limited]
