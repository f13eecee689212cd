"""Faults of the server around the memory: keys, limits, speed, and answers of something else altogether."""

import asyncio
from typing import Any

import msgspec
from aiohttp import web

from aml.examples.serve import Add

from .sound import Refused, Sound


class IgnoresKeys(Sound):
    """Never looks at the key."""

    def check_key(self, given: str | None, call: str) -> None: ...


class TakesAnyKey(Sound):
    """Asks for a key and does not compare it."""

    def check_key(self, given: str | None, call: str) -> None:
        super().check_key(self.token if given else None, call)


class OpenSearch(Sound):
    """Guards Add and not Search."""

    def check_key(self, given: str | None, call: str) -> None:
        if call == "add":
            super().check_key(given, call)


class RefusesTheKey(Sound):
    """Knows another key than the one that is bound."""

    def check_key(self, given: str | None, call: str) -> None:  # noqa: ARG002
        raise Refused(403, "this key may not do that")


class Unhealthy(Sound):
    """Health wants what it never gets."""

    def health(self) -> web.Response:
        return web.json_response({"detail": {"reason": "warming up"}}, status=503)


class Slow44(Sound):
    """Takes 44 ms a call, as Nagle's algorithm and a delayed acknowledgement would."""

    async def pause(self, call: str) -> None:  # noqa: ARG002
        await asyncio.sleep(0.040)  # and what the call itself takes


class FewAtOnce(Sound):
    """Refuses a fifth call while four are under way."""

    async def pause(self, call: str) -> None:  # noqa: ARG002
        if self.in_flight > 4:
            raise Refused(503, "busy")
        await asyncio.sleep(0.005)


class SmallBodies(Sound):
    """Reads at most 64 KiB, as some frameworks do."""

    def answer_add(self, body: bytes) -> Any:
        if len(body) > 64 * 1024:
            raise Refused(413, "the body is too large")
        return super().answer_add(body)


class WantsTimestamps(Sound):
    """Refuses a message without a time."""

    def check_add(self, add: Add) -> None:
        if any(message.timestamp is None for message in add.messages):
            raise Refused(422, "timestamp is required")


class BreaksAtQuotes(Sound):
    """Builds SQL from text."""

    def check_add(self, add: Add) -> None:
        if any("');" in str(message.content) for message in add.messages):
            raise Refused(400, "unterminated string")


class BreaksAtNul(Sound):
    """Stores text in a database that knows no U+0000."""

    def check_add(self, add: Add) -> None:
        if any("\0" in str(message.content) for message in add.messages):
            raise Refused(400, "invalid byte sequence")


class EmptyObjects(Sound):
    """Answers everything with 200 and {}."""

    def answer_add(self, body: bytes) -> Any:  # noqa: ARG002
        return {}

    def answer_search(self, body: bytes) -> Any:  # noqa: ARG002
        return {}


class WebPage(EmptyObjects):
    """Answers everything with 200 and a page."""

    def encode(self, value: Any) -> bytes:  # noqa: ARG002
        return b"<!doctype html><title>Welcome</title><p>It works.</p>"


class ExtraObject(Sound):
    """Sends two JSON values, one after the other."""

    def encode(self, value: Any) -> bytes:
        return msgspec.json.encode(value) + b"\n{}"
