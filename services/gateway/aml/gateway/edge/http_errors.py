"""The one table from refusals to HTTP. Every answer that is no success has the form `{"detail": {"reason", "message", …}}`."""

import re
from typing import Any

import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException

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
from aml.gateway.storage.database import DATABASE_AWAY
from aml.runtime.evidence import EvidenceUnavailable

log = structlog.get_logger()

STATUS: dict[type[Refused], int] = {
    Unauthenticated: 401,
    RoleMissing: 403,
    OwnSystem: 403,
    Unknown: 404,
    StateConflict: 409,
    TooSlow: 408,
    TooLarge: 413,
    MediaTypeUnknown: 415,
    FieldsInvalid: 422,
    MustWait: 429,
    QuotaRefused: 429,
    Unavailable: 503,
}

_OF_LITESTAR = {
    400: (
        "request_malformed",
        "the request cannot be read; send one JSON object in UTF-8 with a correct Content-Length",
    ),
    401: ("key_missing", "send your key as `Authorization: Bearer <key>`"),
    404: ("path_unknown", "there is nothing at this path; /api/openapi.json lists what there is"),
    405: ("method_not_allowed", "this path takes other methods; /api/openapi.json lists them"),
    413: ("body_too_large", "the body is larger than this path takes"),
    415: ("media_type_unknown", "send the body as application/json"),
}


def answer_refused(_: Request[Any, Any, Any], error: Refused) -> Response[Any]:
    headers = {}
    status = STATUS[type(error)]
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, QuotaRefused) and error.available_at is not None:
        headers["Retry-After"] = error.available_at.strftime("%a, %d %b %Y %H:%M:%S GMT")
    if isinstance(error, MustWait):
        headers["Retry-After"] = str(error.seconds)
    if status == 503:
        headers["Retry-After"] = "1"
    return _answer(status, error.reason, error.message, error.more, headers)


def answer_invalid(_: Request[Any, Any, Any], error: ValidationException) -> Response[Any]:
    found = error.extra if isinstance(error.extra, list) else []
    fields = [{"field": item.get("key", "body"), "problem": _unquoted(item.get("message", ""))} for item in found]
    return _answer(
        422, "fields_invalid", "correct the fields that are listed and send the request again", {"fields": fields}
    )


_ENUM_VALUE = re.compile(r"Invalid enum value .*?(?= - at `|$)")
_AT_PATH = re.compile(r"^(.*) - at `\$\.?(.*)`$")


def answer_unreadable(_: Request[Any, Any, Any], error: SerializationException) -> Response[Any]:
    problem = _unquoted((str(error).splitlines() or [""])[0])[:300]
    found = _AT_PATH.match(problem)
    field = {"field": found[2] or "body", "problem": found[1]} if found else {"field": "body", "problem": problem}
    return _answer(422, "fields_invalid", "send one JSON object with the documented fields", {"fields": [field]})


def _unquoted(problem: str) -> str:
    """The value is not repeated: it may be a key in the wrong field."""
    return _ENUM_VALUE.sub("not one of the allowed values", problem)


def answer_too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[Any]:
    """msgspec's own bound on nesting."""
    reason, message = _OF_LITESTAR[400]
    return _answer(400, reason, message, {})


def answer_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    reason, message = _OF_LITESTAR.get(error.status_code, ("request_refused", error.detail))
    if error.status_code >= 500:
        return answer_unforeseen(_, error)
    return _answer(error.status_code, reason, message, {}, dict(error.headers or {}))


def answer_away(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    log.warning("request.deferred", path=request.scope["path"], error=type(error).__name__)
    away = "the evidence store" if isinstance(error, EvidenceUnavailable) else "the database"
    reason = "evidence_unavailable" if isinstance(error, EvidenceUnavailable) else "database_unavailable"
    return answer_refused(request, Unavailable(reason, f"{away} is not reachable now"))


def answer_unforeseen(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    log.error("request.failed", path=request.scope["path"], exc_info=error)
    return _answer(
        500, "internal", "the platform failed; nothing was changed. Try again, and report it if it stays", {}
    )


HANDLERS: dict[Any, Any] = {
    Refused: answer_refused,
    ValidationException: answer_invalid,
    SerializationException: answer_unreadable,
    RecursionError: answer_too_deep,
    HTTPException: answer_http,
    EvidenceUnavailable: answer_away,
    **dict.fromkeys(DATABASE_AWAY, answer_away),
    Exception: answer_unforeseen,
}


def _answer(
    status: int, reason: str, message: str, more: dict[str, object], headers: dict[str, str] | None = None
) -> Response[Any]:
    return Response(
        {"detail": {"reason": reason, "message": message, **more}},
        status_code=status,
        headers=headers,
        media_type=MediaType.JSON,
    )
