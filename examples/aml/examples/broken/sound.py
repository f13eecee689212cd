"""The participant without a fault. Every seam that some fault needs is a method, so that a fault is one small override."""

import re
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from aml.examples.serve import MAX_REQUEST_BYTES, Add, Search, text_of

_WORD = re.compile(r"\w+|[^\w\s]")


class Kept(msgspec.Struct):
    number: int
    user_id: str
    request_id: str
    content: str
    words: frozenset[str]


class Refused(Exception):
    """Ends a request with `status`."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Sound:
    """A word-overlap memory in a list. With a `journal`, every Add outlives the process."""

    add_status = 200

    def __init__(self, *, token: str | None = None, journal: Path | None = None) -> None:
        self.token = token
        self.journal = journal
        self.kept: list[Kept] = []
        self.bodies: dict[tuple[str, str], Add] = {}
        self.in_flight = 0
        self.load()

    def load(self) -> None:
        """At the start, and after a restart."""
        self.kept, self.bodies = [], {}
        if self.journal is not None and self.journal.exists():
            for line in self.journal.read_bytes().splitlines():
                self.write(msgspec.json.decode(line, type=Add))

    # The seams of Add

    def check_add(self, add: Add) -> None:
        """Raises `Refused` for what this server does not take."""

    def key_of(self, add: Add) -> tuple[str, str]:
        """What makes two Adds the same one."""
        return add.user_id, add.request_id

    def is_repeated(self, add: Add) -> bool:
        known = self.bodies.get(self.key_of(add))
        if known is not None and known != add:
            raise Refused(422, "this request_id was written with other messages")
        return known is not None

    def stored(self, text: str) -> str:
        return text

    def write(self, add: Add) -> None:
        self.bodies[self.key_of(add)] = add
        for message in add.messages:
            if content := self.stored(text_of(message.content)):
                self.kept.append(
                    Kept(len(self.kept) + 1, add.user_id, add.request_id, content, frozenset(_words(content)))
                )

    def record(self, add: Add) -> None:
        if self.journal is not None:
            with self.journal.open("ab") as file:
                file.write(msgspec.json.encode(add) + b"\n")

    def add_reply(self, add: Add) -> Any:
        return {
            "success": True,
            "request_id": add.request_id,
            "user_id": add.user_id,
            "session_id": add.session_id,
        }

    # The seams of Search

    def check_search(self, search: Search) -> None:
        """Raises `Refused`."""

    def is_visible(self, kept: Kept, user_id: str) -> bool:
        return kept.user_id == user_id

    def ranked(self, search: Search) -> list[tuple[float, Kept]]:
        wanted = frozenset(_words(text_of(search.query)))
        scored = [
            (float(len(wanted & kept.words)), kept) for kept in self.kept if self.is_visible(kept, search.user_id)
        ]
        return sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], pair[1].number))

    def cut(self, found: list[tuple[float, Kept]], top_k: int) -> list[tuple[float, Kept]]:
        return found[:top_k]

    def item(self, score: float, kept: Kept) -> dict[str, Any]:
        return {"id": f"m{kept.number}", "content": kept.content, "score": score}

    def search_reply(self, items: list[dict[str, Any]], search: Search) -> Any:  # noqa: ARG002 - for faults
        return {"data": items}

    # The seams of HTTP

    def check_key(self, given: str | None, call: str) -> None:  # noqa: ARG002 - for faults
        if self.token is not None and given != self.token:
            raise Refused(401, "the key is missing or wrong")

    def encode(self, value: Any) -> bytes:
        return msgspec.json.encode(value)

    async def pause(self, call: str) -> None:
        """Before every answer."""

    def health(self) -> web.Response:
        return web.json_response({"status": "ok"})

    def application(self) -> web.Application:
        app = web.Application(client_max_size=MAX_REQUEST_BYTES)
        app.router.add_post("/add", self._handle)
        app.router.add_post("/search", self._handle)
        app.router.add_get("/health", self._handle_health)
        return app

    def answer_add(self, body: bytes) -> Any:
        add = msgspec.json.decode(body, type=Add)
        self.check_add(add)
        if not self.is_repeated(add):
            self.record(add)
            self.write(add)
        return self.add_reply(add)

    def answer_search(self, body: bytes) -> Any:
        search = msgspec.json.decode(body, type=Search)
        self.check_search(search)
        found = self.cut(self.ranked(search), search.top_k)
        return self.search_reply([self.item(score, kept) for score, kept in found], search)

    async def _handle_health(self, _: web.Request) -> web.Response:
        return self.health()

    async def _handle(self, request: web.Request) -> web.Response:
        call = request.path.strip("/")
        self.in_flight += 1
        try:
            self.check_key(_key_of(request), call)
            body = await request.read()
            await self.pause(call)
            value = self.answer_add(body) if call == "add" else self.answer_search(body)
        except Refused as error:
            return web.json_response({"detail": {"reason": str(error)}}, status=error.status)
        except msgspec.MsgspecError as error:
            return web.json_response({"detail": {"reason": str(error)}}, status=422)
        finally:
            self.in_flight -= 1
        status = self.add_status if call == "add" else 200
        return web.Response(body=self.encode(value), status=status, content_type="application/json")


def _key_of(request: web.Request) -> str | None:
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    return value if scheme in ("Bearer", "Token") else request.headers.get("X-Api-Key")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
