"""A ledger over HTTP that signs with a real key."""

import asyncio

from aiohttp import web
from tests.factories.results import SignedLog

from aml.rules.entry import read_entry


class LedgerServer:
    """`/log/*` as the ledger serves it, over a log in memory."""

    def __init__(self) -> None:
        self.log = SignedLog()
        self.url = ""
        self.asked = asyncio.Event()
        """A proof was asked for."""
        self.answering = asyncio.Event()
        """Cleared, proofs are kept waiting."""
        self.answering.set()

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/log/checkpoint", self._checkpoint),
            web.get("/log/verifier", self._verifier),
            web.get("/log/jobs/{job_id}", self._job),
            web.get("/log/proof/{index}", self._proof),
            web.get("/log/consistency", self._consistency),
        ]

    async def _checkpoint(self, _: web.Request) -> web.Response:
        return web.Response(text=self.log.checkpoint()) if self.log.entries else web.Response(status=404)

    async def _verifier(self, _: web.Request) -> web.Response:
        return web.Response(text=f"{self.log.key}\n")

    async def _job(self, request: web.Request) -> web.Response:
        entry = self.log.gate_entry(request.match_info["job_id"])
        return web.Response(status=404) if entry is None else web.Response(body=b'{"type":"other"}\n' + entry + b"\n")

    async def _proof(self, request: web.Request) -> web.Response:
        self.asked.set()
        await self.answering.wait()
        index, size = int(request.match_info["index"]), int(request.query["size"])
        return web.json_response(
            {
                "index": index,
                "leaf": read_entry(self.log.entries[index]).leaf,
                "tree_size": size,
                "root": "",
                "proof": [step.hex() for step in self.log.proof(index, size)],
            }
        )

    async def _consistency(self, request: web.Request) -> web.Response:
        old, new = int(request.query["old"]), int(request.query["new"])
        return web.json_response({"proof": [step.hex() for step in self.log.consistency(old, new)]})
