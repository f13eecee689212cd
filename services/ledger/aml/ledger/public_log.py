"""The public log over HTTP, as any web server would serve its folder: https://c2sp.org/tlog-tiles. And proofs from it.

Everything is under `/log/`, the log's URL prefix, and `/checkpoint` and `/tile/…` at the root as well.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from aiohttp import web

from aml.rules.checkpoint import parse_checkpoint, parse_note
from aml.rules.tile_proofs import Compute, from_tiles, inclusion_of, needed_tiles
from aml.rules.tiles import CHECKPOINT_PATH, TileInvalid, TileName, first_part, parse_tile_path
from aml.rules.tlog_proof import encode_tlog_proof

from .errors import LogStoreUnavailable
from .log_store import LogStore

T = TypeVar("T")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_FOR_A_MOMENT = {"Cache-Control": "public, max-age=1"}


class TileMissing(Exception):
    """The store has neither a tile nor the full tile that it became part of."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the log has no {path}")
        self.path = path


class PublicLog:
    def __init__(self, store: LogStore) -> None:
        self._store = store

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/checkpoint", _guarded(self.checkpoint)),
            web.get("/tile/{path:.+}", _guarded(self.tile)),
            web.get("/log/tile/{path:.+}", _guarded(self.tile)),
            web.get("/log/tlog-proof/{index:[0-9]{1,15}}", _guarded(self.tlog_proof)),
        ]

    async def checkpoint(self, _: web.Request) -> web.StreamResponse:
        note = await self._note()
        if note is None:
            return _problem(404, "nothing was published yet")
        return web.Response(text=note, content_type="text/plain", charset="utf-8", headers=_FOR_A_MOMENT)

    async def tile(self, request: web.Request) -> web.StreamResponse:
        name = parse_tile_path(f"tile/{request.match_info['path']}")
        response = web.Response(
            body=await self.read_tile(name), content_type="application/octet-stream", headers=_FOR_EVER
        )
        if name.level is None:
            response.enable_compression()
        return response

    async def tlog_proof(self, request: web.Request) -> web.StreamResponse:
        """Under the newest published checkpoint."""
        index = int(request.match_info["index"])
        text = await self.prove(index)
        if text is None:
            return _problem(404, f"no published checkpoint covers entry {index}")
        return web.Response(text=text, content_type="text/plain", charset="utf-8", headers=_FOR_A_MOMENT)

    async def prove(self, index: int) -> str | None:
        """A tlog-proof of entry `index`; None while no published checkpoint covers it. Reads a few tiles, no database."""
        note = await self._note()
        size = parse_checkpoint(parse_note(note).text).size if note is not None else 0
        if note is None or index >= size:
            return None
        _, _, proof = await self.compute(size, inclusion_of(index, size))
        return encode_tlog_proof(index=index, proof=proof, checkpoint=note)

    async def compute(self, size: int, wanted: Compute[T]) -> T:
        """`wanted` of `aml.rules.tile_proofs`, from the tiles of a published size. Raises `TileMissing`, `TileInvalid`."""
        tiles: Mapping[TileName, bytes] = {name: await self.read_tile(name) for name in needed_tiles(size, wanted)}
        return from_tiles(size, tiles, wanted)

    async def read_tile(self, name: TileName) -> bytes:
        data = await self._store.read(name.path)
        if data is not None:
            return data
        filled = await self._store.read(name.full_path) if name != name.filled else None
        if filled is None:
            raise TileMissing(name.path)
        return first_part(name, filled)

    async def _note(self) -> str | None:
        data = await self._store.read(CHECKPOINT_PATH)
        return data.decode() if data is not None else None


def _problem(status: int, reason: str) -> web.Response:
    return web.json_response({"detail": {"reason": reason}}, status=status)


def _guarded(handler: Handler) -> Handler:
    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except (TileInvalid, TileMissing) as error:
            return _problem(404, str(error))
        except LogStoreUnavailable:
            return _problem(503, "the log's public store is away; try again")

    return answer
