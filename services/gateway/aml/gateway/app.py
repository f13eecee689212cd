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
from .access import apply, claim, decide, recheck, versions
from .donations import judge_proposal, propose, transfer
from .edge import http_errors
from .edge.answer_headers import add_safe_headers
from .edge.authorise import provide_caller
from .edge.body_rest import read_rest_before_refusing
from .edge.head_requests import answer_head
from .edge.json_body import require_json
from .edge.operation_document import ABOUT, TAGS, document
from .edge.rate_limit import RateSettings, limit_rates
from .edge.request_id import name_requests
from .errors import Unavailable
from .jobs import cancel_job, create_job, progress_stream, read_jobs, read_quotas, resume_job
from .keys import account, revoke, role_keys, rotate
from .operations import operator, overview, reviewer_links
from .parts import Parts
from .portal import routes
from .portal.portal import Portal
from .public import cycles, log_window, pages, releases
from .results import compare_runs, contract_report, downloads, read_questions, read_results
from .review import attestations, notes, publication, queue, review_file

MAX_BODY_BYTES = 64 * 1024
_OPENAPI_PATH = "/api/openapi.json"

_API: tuple[HTTPRouteHandler, ...] = (
    apply.request_access,
    apply.read_access,
    claim.claim_key,
    recheck.check_again,
    decide.list_requests,
    decide.approve,
    decide.decline,
    account.read_me,
    rotate.rotate_key,
    revoke.revoke_own_key,
    role_keys.list_keys,
    role_keys.make_role_key,
    revoke.revoke_any_key,
    versions.read_versions,
    versions.change_version,
    versions.replace_key,
    versions.withdraw,
    create_job.create_job,
    read_jobs.read_jobs,
    read_jobs.read_job,
    cancel_job.cancel,
    resume_job.resume,
    read_quotas.read_quotas,
    progress_stream.stream_progress,
    read_results.read_results,
    read_questions.read_questions,
    read_questions.read_question,
    compare_runs.compare_runs,
    downloads.results_json,
    downloads.results_csv,
    downloads.questions_jsonl,
    downloads.questions_csv,
    contract_report.read_contract_report,
    queue.read_reviews,
    review_file.read_review_file,
    review_file.read_fair_play,
    notes.write_note,
    publication.decide_review,
    publication.read_decisions,
    attestations.attest_deletion,
    attestations.list_attestations,
    propose.propose_benchmark,
    propose.list_proposals,
    propose.read_proposal,
    transfer.put_package,
    transfer.get_package,
    judge_proposal.decide_proposal,
    overview.read_overview,
    reviewer_links.link_reviewer,
    operator.create_run,
    operator.read_parked,
    operator.requeue,
    releases.list_releases,
    cycles.list_cycles,
    cycles.read_cycle,
    log_window.read_checkpoint,
    log_window.read_verifier,
    log_window.read_proof,
)


async def before_reading(request: Request[Any, Any, Any]) -> None:
    require_started(request)
    require_json(request)


def require_started(request: Request[Any, Any, Any]) -> None:
    if not request.app.state.parts.ready.is_set():
        raise Unavailable("starting", "the gateway is starting: it waits for the database and the broker")


async def refuse_other_pages(request: Request[Any, Any, Any]) -> None:
    """Litestar answers other paths beside its OpenAPI document with a page of its own."""
    if request.scope["path"].rstrip("/") != _OPENAPI_PATH:
        raise NotFoundException


def make_edge(app: Litestar, settings: RateSettings) -> ASGIApp:
    """What stands before every answer, those to unknown paths included."""
    return name_requests(add_safe_headers(limit_rates(settings)(answer_head(app))))


def make_app(parts: Parts) -> Litestar:
    for handler in _API:
        document(handler)
    api = Router(path="/api/v1", before_request=before_reading, route_handlers=_API)
    portal = Portal(
        releases=parts.releases,
        cycles=parts.cycles,
        board_folder=parts.settings.board.folder,
        document=lambda: app.openapi_schema.to_schema(),  # noqa: PLW0108  the application is made below
    )
    app = Litestar(
        route_handlers=[
            api,
            probes.live,
            probes.ready,
            probes.metrics,
            pages.board_file,
            routes.read_page,
            routes.read_asset,
        ],
        dependencies={
            "parts": Provide(lambda: parts, sync_to_thread=False),
            "offered": Provide(lambda: parts.releases, sync_to_thread=False),
            "caller": Provide(provide_caller, sync_to_thread=False),
            "portal": Provide(lambda: portal, sync_to_thread=False),
        },
        exception_handlers=http_errors.HANDLERS,
        request_max_body_size=MAX_BODY_BYTES,
        middleware=[read_rest_before_refusing],
        state=State({"parts": parts}),
        openapi_config=OpenAPIConfig(
            title="Agent Memory Leaderboard",
            version="1",
            description=ABOUT,
            tags=TAGS,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            openapi_router=Router(
                "/api", before_request=refuse_other_pages, route_handlers=[], include_in_schema=False
            ),
            components=Components(security_schemes={"key": SecurityScheme(type="http", scheme="bearer")}),
        ),
        logging_config=None,
        debug=False,  # whatever LITESTAR_DEBUG says: its error pages show code and values
    )
    return app
