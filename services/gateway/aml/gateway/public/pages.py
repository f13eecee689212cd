"""The publisher's board, as files."""

import asyncio
import mimetypes
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from aml.gateway.edge.injected import GivenParts
from aml.gateway.errors import Unknown

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@get(["/board/", "/board/{path:path}"], include_in_schema=False)
async def board_file(
    request: Request[Any, Any, Any], parts: GivenParts, path: FromPath[Path | None] = None
) -> Response[bytes] | Redirect:
    """`current` is a link that the publisher swaps: it is followed anew for each file."""
    if path is None and not request.scope["raw_path"].endswith(b"/"):
        return Redirect("/board/")  # the board's own links are relative
    wanted = str(path or "").lstrip("/")
    found = await asyncio.to_thread(read_below, parts.settings.board.folder / "current", wanted)
    if found is None:
        raise Unknown("board_file", wanted or "index.html")
    content, name = found
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(content, headers=_HEADERS | {"Cache-Control": "no-cache"}, media_type=media_type)


def read_below(folder: Path, wanted: str) -> tuple[bytes, str] | None:
    """The file and its name; None for what is not there or lies outside of `folder`."""
    if "\x00" in wanted:
        return None
    try:
        root = folder.resolve(strict=True)
        target = (root / wanted).resolve(strict=True)
        if target.is_dir():
            target = (target / "index.html").resolve(strict=True)
        if not target.is_relative_to(root) or not target.is_file():
            return None
        return target.read_bytes(), target.name
    except OSError:
        return None
