"""A body that is read as JSON must not say that it is something else.

A page of another site can send a form or plain text without being asked first, and JSON it cannot: so a browser never carries
somebody's body here unasked, whatever it holds.
"""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from litestar import Request
from litestar.handlers import HTTPRouteHandler

from aml.gateway.errors import MediaTypeUnknown


def takes_json(handler: HTTPRouteHandler) -> bool:
    return _names_data(handler.fn)


@cache
def _names_data(function: Callable[..., Any]) -> bool:
    return "data" in inspect.signature(function).parameters


def require_json(request: Request[Any, Any, Any]) -> None:
    """A body without a type is taken for JSON. Raises `MediaTypeUnknown`."""
    handler = request.scope["route_handler"]
    said = request.headers.get("content-type")
    if said is None or request.content_length == 0 or not isinstance(handler, HTTPRouteHandler):
        return
    if takes_json(handler) and not is_json(said):
        raise MediaTypeUnknown


def is_json(media_type: str) -> bool:
    name = media_type.partition(";")[0].strip().lower()
    return name == "application/json" or (name.startswith("application/") and name.endswith("+json"))
