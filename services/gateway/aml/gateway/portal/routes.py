"""The portal's addresses."""

import asyncio
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from aml.gateway.errors import Unknown

from .portal import Portal
from .rendered import answer_with
from .sitemap import addresses

GivenPortal = NamedDependency[Portal]


@get(sorted(address for address, _, _ in addresses()), include_in_schema=False)
async def read_page(request: Request[Any, Any, Any], portal: GivenPortal) -> Response[bytes]:
    address = request.scope["path"]
    page = await asyncio.to_thread(portal.page, address)
    if page is None:
        raise Unknown("page", address)
    return answer_with(request, page)


@get("/assets/{path:path}", include_in_schema=False)
async def read_asset(request: Request[Any, Any, Any], portal: GivenPortal, path: FromPath[Path]) -> Response[bytes]:
    name = str(path).lstrip("/")
    if (found := await asyncio.to_thread(portal.asset, name)) is None:
        raise Unknown("asset", name)
    return answer_with(request, found)
