"""The Litestar application: routes, guards and the error table in one place."""

from typing import Any

from litestar import Litestar, Request, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ASGIApp

from . import probes
from .access import access, access_review
from .edge import http_errors
from .edge.answer_headers import add_safe_headers
from .edge.authorise import provide_caller
from .edge.body_rest import read_rest_before_refusing
from .edge.documented_refusals import refusals_of
from .edge.rate_limit import RateSettings, limit_rates
from .edge.request_id import name_requests
from .errors import Unavailable
from .jobs import jobs, progress
from .keys import account
from .operations import operator
from .parts import Parts
from .public import log_window, pages, releases
from .results import contract_report, results
from .review import review

MAX_BODY_BYTES = 64 * 1024
_OPENAPI_PATH = "/api/openapi.json"

_API: tuple[HTTPRouteHandler, ...] = (
    access.request_access,
    access.read_access,
    access.claim_key,
    access_review.list_requests,
    access_review.approve,
    access_review.decline,
    account.read_me,
    account.read_versions,
    account.make_role_key,
    jobs.create_job,
    jobs.read_jobs,
    jobs.read_job,
    jobs.cancel,
    progress.stream_progress,
    results.read_results,
    results.read_questions,
    contract_report.read_contract_report,
    review.read_reviews,
    review.decide_review,
    operator.create_run,
    operator.read_parked,
    operator.requeue,
    releases.list_releases,
    log_window.read_checkpoint,
    log_window.read_verifier,
    log_window.read_proof,
)


async def require_started(request: Request[Any, Any, Any]) -> None:
    if not request.app.state.parts.ready.is_set():
        raise Unavailable("starting", "the gateway is starting: it waits for the database and the broker")


async def refuse_other_pages(request: Request[Any, Any, Any]) -> None:
    """Litestar answers other paths beside its OpenAPI document with a page of its own."""
    if request.scope["path"].rstrip("/") != _OPENAPI_PATH:
        raise NotFoundException


def make_edge(app: Litestar, settings: RateSettings) -> ASGIApp:
    """What stands before every answer, those to unknown paths included."""
    return name_requests(add_safe_headers(limit_rates(settings)(app)))


def make_app(parts: Parts) -> Litestar:
    for handler in _API:
        handler.responses = refusals_of(handler)
    api = Router(path="/api/v1", before_request=require_started, route_handlers=_API)
    return Litestar(
        route_handlers=[
            api,
            probes.live,
            probes.ready,
            probes.metrics,
            pages.front,
            pages.board_file,
        ],
        dependencies={
            "parts": Provide(lambda: parts, sync_to_thread=False),
            "offered": Provide(lambda: parts.releases, sync_to_thread=False),
            "caller": Provide(provide_caller, sync_to_thread=False),
        },
        exception_handlers=http_errors.HANDLERS,
        request_max_body_size=MAX_BODY_BYTES,
        middleware=[read_rest_before_refusing],
        state=State({"parts": parts}),
        openapi_config=OpenAPIConfig(
            title="Agent Memory Leaderboard",
            version="1",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            openapi_router=Router(
                "/api", before_request=refuse_other_pages, route_handlers=[], include_in_schema=False
            ),
            components=Components(security_schemes={"key": SecurityScheme(type="http", scheme="bearer")}),
        ),
        logging_config=None,
        debug=False,  # whatever LITESTAR_DEBUG says: its error pages show code and values
    )
