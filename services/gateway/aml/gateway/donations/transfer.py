"""A proposal's package, in and out: streamed to disk, read apart, kept or refused whole; downloaded by reviewers only."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get, put
from litestar.exceptions import InternalServerException
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, RequestBody, Schema
from litestar.params import FromPath, QueryParameter
from litestar.response import File

from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenParts
from aml.gateway.edge.operation_document import Illustrated
from aml.gateway.edge.rate_limit import address_of
from aml.gateway.errors import FieldsInvalid, StateConflict, TooLarge, TooSlow, Unavailable, Unknown
from aml.gateway.names import known
from aml.gateway.parts import Parts

from .inspect_package import FORMATS, declared_format
from .inspection_process import inspect_apart
from .member_names import check_name
from .package_report import PackageLimits, PackageRefused, PackageReport
from .package_store import Arrived, UploadTooLarge, UploadTooSlow
from .proposal_access import require_proposal
from .proposal_queries import ProposalRow, load_decisions, load_proposal, set_package
from .propose import proposal_view
from .views import Proposal

OPEN_STATES: Final = ("submitted", "more_asked")

FileName = Annotated[
    str,
    QueryParameter(
        name="filename",
        min_length=1,
        max_length=200,
        description="The file's own name; its suffix says the format: .jsonl, .ndjson, .json, .csv or .zip.",
    ),
]


@dataclass
class RawBody(Illustrated):
    """The body is not decoded, so the document would not name it by itself."""

    def __post_init__(self) -> None:
        content = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        self.request_body = RequestBody(
            required=True,
            description="The file as it is: JSONL, JSON, CSV in UTF-8, or a zip of them.",
            content={"application/octet-stream": OpenAPIMediaType(schema=content)},
        )
        super().__post_init__()


@put(
    "/benchmark-proposals/{proposal_id:str}/package",
    summary="Send the package as the raw body; takes the proposal's token or its key as the Bearer token",
    operation_class=RawBody,
    request_max_body_size=None,  # counted here, piece by piece, against `AML_DONATIONS_MAX_BYTES`
)
async def put_package(
    request: Request[Any, Any, Any], parts: GivenParts, proposal_id: FromPath[str], filename: FileName
) -> Proposal:
    require_name(filename)
    limit = parts.settings.donations.max_bytes
    async with parts.database.read() as connection:
        row = await require_proposal(connection, request, parts, proposal_id, to_change=True)
    _require_open(row)
    if (request.content_length or 0) > limit:
        raise TooLarge("package_too_large", _too_large(limit))
    with parts.uploads.hold(address_of(request.scope, parts.settings.rate.proxies)):
        if await asyncio.to_thread(parts.packages.used_bytes) + limit > parts.settings.donations.total_bytes:
            raise Unavailable("donations_full", "the space for packages is used up; the organiser has to make room")
        try:
            async with parts.packages.receive(_pieces(request), limit) as arrived:
                async with parts.inspections:
                    report = await inspect_apart(arrived.path, filename)
                return await _keep(parts, proposal_id, filename, arrived, report)
        except UploadTooLarge:
            raise TooLarge("package_too_large", _too_large(limit)) from None
        except UploadTooSlow:
            raise TooSlow("upload_too_slow", "the upload stood still or took too long; send it again") from None
        except PackageRefused as error:
            raise FieldsInvalid({"package": error.problem}) from None
        except OSError:
            raise Unavailable("donations_unavailable", "the package cannot be stored now; nothing was kept") from None


@get(
    "/benchmark-proposals/{proposal_id:str}/package",
    summary="Download the package, as it was sent",
    media_type="application/octet-stream",
    guards=[REVIEWERS],
)
async def get_package(parts: GivenParts, proposal_id: FromPath[str]) -> File:
    async with parts.database.read() as connection:
        row = await load_proposal(connection, known("proposal", proposal_id))
    if row is None or row.package_file is None:
        raise Unknown("package", proposal_id)
    path = parts.packages.path_of(row.package_file)
    if not await asyncio.to_thread(path.is_file):
        raise Unavailable("donations_unavailable", "the package cannot be read now")
    return File(
        path,
        filename=row.package_name,
        media_type="application/octet-stream",
        content_disposition_type="attachment",
        headers={
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "no-store",
        },
    )


def require_name(filename: str) -> None:
    """Raises `FieldsInvalid`."""
    try:
        check_name(filename.removesuffix(".zip") if filename.endswith(".zip") else filename, PackageLimits())
    except PackageRefused as error:
        raise FieldsInvalid({"filename": error.problem}) from None
    if "/" in filename or declared_format(filename) is None:
        raise FieldsInvalid({"filename": f"must be a plain file name with one of the suffixes {', '.join(FORMATS)}"})


async def _keep(parts: Parts, proposal_id: str, filename: str, arrived: Arrived, report: PackageReport) -> Proposal:
    """File first, row last: a row never names a file that is not whole."""
    async with parts.packages.keep(arrived) as name, parts.database.transaction() as connection:
        before = await load_proposal(connection, proposal_id, lock=True)
        assert before is not None  # proposals are never deleted
        _require_open(before)
        await set_package(
            connection,
            proposal_id,
            sha256=arrived.sha256,
            size=arrived.bytes,
            name=filename,
            report=msgspec.json.encode(report),
            file=name,
        )
        row = await load_proposal(connection, proposal_id)
        assert row is not None
        view = proposal_view(row, await load_decisions(connection, proposal_id))
    if before.package_file is not None:
        await parts.packages.discard(before.package_file)
    return view


def _require_open(row: ProposalRow) -> None:
    if row.state not in OPEN_STATES:
        raise StateConflict("already_decided", f"this proposal is {row.state}; its package stays as it was reviewed")


async def _pieces(request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
    try:
        async for piece in request.stream():
            if piece:
                yield piece
    except InternalServerException:
        raise UploadTooSlow from None  # the sender is gone; nobody reads the answer


def _too_large(limit: int) -> str:
    return f"a package may have {limit} bytes; send a smaller part of it and name where the rest is"
