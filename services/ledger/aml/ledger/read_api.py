"""The log over HTTP, for this deployment's own services: checkpoint, entries, proofs. All of it is public by nature."""

import re
from collections.abc import Awaitable, Callable

import msgspec
from aiohttp import web

from . import checkpoint_queries, queries
from .database import DATABASE_AWAY, Connection, Pool
from .signer import Signer
from .tree_store import load_consistency, load_inclusion

MAX_ENTRIES = 1000
MAX_INDICES = 100
_EVENT_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_NDJSON = "application/x-ndjson"


class LogReader:
    def __init__(self, pool: Pool, signer: Signer, policy: str | None = None) -> None:
        """`policy` is the text of the tlog-policy; with one, only checkpoints that its quorum cosigned are shown."""
        self._pool = pool
        self._signer = signer
        self._policy = policy

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/log/checkpoint", _guarded(self.checkpoint)),
            web.get("/log/entries", _guarded(self.entries)),
            web.get("/log/proof/{index}", _guarded(self.proof)),
            web.get("/log/indices", _guarded(self.indices)),
            web.get("/log/consistency", _guarded(self.consistency)),
            web.get("/log/jobs/{job_id}", _guarded(self.job)),
            web.get("/log/verifier", _guarded(self.verifier)),
            web.get("/log/verifiers", _guarded(self.verifiers)),
            web.get("/log/policy", _guarded(self.policy)),
        ]

    async def checkpoint(self, request: web.Request) -> web.StreamResponse:
        """The signed note: the newest, or with `?size=` the one that was published for that size."""
        size = _number(request.query["size"], "size") if "size" in request.query else None
        async with self._pool.connection() as connection:
            found = await self._published(connection, size)
        if found is None:
            return _problem(404, "the log is empty: nothing was signed yet" if size is None else f"none covers {size}")
        return web.Response(text=found.note, content_type="text/plain", charset="utf-8")

    async def entries(self, request: web.Request) -> web.StreamResponse:
        """One entry's canonical bytes a line, from `start`, at most `count` (and at most 1,000)."""
        start = _number(request.query.get("start", "0"), "start")
        count = min(_number(request.query.get("count", "100"), "count"), MAX_ENTRIES)
        async with self._pool.connection() as connection:
            rows = await queries.load_bodies(connection, start, start + count)
        return web.Response(body=b"".join(body + b"\n" for _, body in rows), content_type=_NDJSON)

    async def job(self, request: web.Request) -> web.StreamResponse:
        """All entries of a job in the order of its chain, one a line; each holds its index."""
        job_id = request.match_info["job_id"]
        response = web.StreamResponse(headers={"Content-Type": _NDJSON})
        async with self._pool.connection() as connection:
            lines: list[bytes] = []
            async for body in queries.stream_job_bodies(connection, job_id):
                if not response.prepared:
                    await response.prepare(request)
                lines.append(body + b"\n")
                if len(lines) == MAX_ENTRIES:
                    await response.write(b"".join(lines))
                    lines.clear()
            if not response.prepared:
                return _problem(404, f"the log holds no entry of job {job_id}")
            await response.write(b"".join(lines))
        await response.write_eof()
        return response

    async def proof(self, request: web.Request) -> web.StreamResponse:
        """`{index, leaf, tree_size, root, proof}`; `size` defaults to the newest checkpoint's."""
        index = _number(request.match_info["index"], "index")
        async with self._pool.connection() as connection:
            signed = await self._published_size(connection)
            size = _number(request.query["size"], "size") if "size" in request.query else signed
            if not 0 <= index < size <= signed:
                return _problem(404, f"a proof of entry {index} in {size} entries needs {index} < size <= {signed}")
            found = await load_inclusion(connection, index, size)
        return web.Response(body=msgspec.json.encode(found), content_type="application/json")

    async def indices(self, request: web.Request) -> web.StreamResponse:
        """`{"indices": {event id: index}}` of `?event_id=…`, at most 100 of them; what the log does not hold is left out."""
        asked = request.query.getall("event_id", [])[:MAX_INDICES]
        known = [each for each in asked if _EVENT_ID.fullmatch(each)]
        async with self._pool.connection() as connection:
            return web.json_response({"indices": await queries.load_indices(connection, known)})

    async def consistency(self, request: web.Request) -> web.StreamResponse:
        """`{old, new, proof}` for `?old=&new=`."""
        old = _number(request.query.get("old", ""), "old")
        async with self._pool.connection() as connection:
            signed = await self._published_size(connection)
            new = _number(request.query["new"], "new") if "new" in request.query else signed
            if not 0 < old <= new <= signed:
                return _problem(404, f"a consistency proof needs 0 < old <= new <= {signed}")
            proof = await load_consistency(connection, old, new)
        return web.json_response({"old": old, "new": new, "proof": [each.hex() for each in proof]})

    async def verifier(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=f"{self._signer.key}\n", content_type="text/plain", charset="utf-8")

    async def verifiers(self, _: web.Request) -> web.StreamResponse:
        """Every verifier key that the log ever had, the newest first."""
        text = "".join(f"{each}\n" for each in self._signer.every_key())
        return web.Response(text=text, content_type="text/plain", charset="utf-8")

    async def policy(self, _: web.Request) -> web.StreamResponse:
        if self._policy is None:
            return _problem(404, "this log has no policy of witnesses")
        return web.Response(text=self._policy, content_type="text/plain", charset="utf-8")

    async def _published(self, connection: Connection, size: int | None = None) -> checkpoint_queries.SignedRow | None:
        load = checkpoint_queries.load_checkpoint if self._policy is None else checkpoint_queries.load_cosigned
        return await load(connection, size)

    async def _published_size(self, connection: Connection) -> int:
        newest = await self._published(connection)
        return newest.size if newest is not None else 0


class BadParameter(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} must be a whole number, 0 or more")


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise BadParameter(name)
    return int(text)


def _problem(status: int, reason: str) -> web.Response:
    return web.json_response({"detail": {"reason": reason}}, status=status)


def _guarded(handler: Handler) -> Handler:
    """The edge's table from errors to statuses."""

    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except BadParameter as error:
            return _problem(422, str(error))
        except DATABASE_AWAY:
            return _problem(503, "the ledger's database is away; try again")

    return answer
