"""What everybody may ask of the ledger through the portal: its checkpoint, its key, and proofs.

Not the entries: those of private jobs carry scores that only their own key may see. A proof shows a leaf's hash.
"""

from typing import Annotated

import aiohttp
from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter

from aml.gateway.edge.injected import GivenParts
from aml.gateway.errors import Unavailable, Unknown
from aml.gateway.parts import Parts

from .views import LogProof

TIMEOUT_SECONDS = 5.0
MAX_ANSWER_BYTES = 1024 * 1024


@get("/log/checkpoint", summary="The newest signed tree head (C2SP signed note)", media_type="text/plain")
async def read_checkpoint(parts: GivenParts) -> Response[bytes]:
    return await _ask(parts, "checkpoint", {})


@get("/log/verifier", summary="The key that verifies checkpoints", media_type="text/plain")
async def read_verifier(parts: GivenParts) -> Response[bytes]:
    return await _ask(parts, "verifier", {})


@get(
    "/log/proof/{index:int}",
    summary="Inclusion proof of an entry, in the tree of `size` entries",
    responses={200: ResponseSpec(LogProof, description="The proof", generate_examples=False)},
)
async def read_proof(
    parts: GivenParts, index: FromPath[int], size: Annotated[int | None, QueryParameter(ge=1, le=2**62)] = None
) -> Response[bytes]:
    return await _ask(parts, f"proof/{index}", {"size": str(size)} if size is not None else {})


async def _ask(parts: Parts, path: str, query: dict[str, str]) -> Response[bytes]:
    away = Unavailable("ledger_unavailable", "the ledger cannot be asked now")
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)) as session,
            session.get(f"{parts.settings.ledger.url}/log/{path}", params=query, allow_redirects=False) as answer,
        ):
            if answer.status in (400, 404, 422):
                raise Unknown("log_entry", path)
            content = await answer.content.read(MAX_ANSWER_BYTES + 1)
            if answer.status != 200 or len(content) > MAX_ANSWER_BYTES:
                raise away
            return Response(content, media_type=answer.content_type)
    except (TimeoutError, aiohttp.ClientError):
        raise away from None
