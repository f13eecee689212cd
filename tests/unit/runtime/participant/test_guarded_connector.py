import asyncio
import socket

import aiohttp
import pytest

from aml.runtime.participant.errors import AddressRefused, TransportFailed
from aml.runtime.participant.guarded_connector import GuardedConnector, GuardedResolver

V4, V6 = socket.AF_INET, socket.AF_INET6


class Names:
    """A lookup that answers from a list, one answer a call."""

    def __init__(self, *answers: list[tuple[int, str]]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> list[tuple[int, str]]:
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


async def test_public_addresses_are_handed_on() -> None:
    resolver = GuardedResolver(
        allow_private=False, timeout_seconds=1, lookup=Names([(V4, "8.8.8.8"), (V6, "2606:4700::1")])
    )

    found = await resolver.resolve("memory.example", 443)

    assert [(entry["host"], entry["port"], entry["hostname"]) for entry in found] == [
        ("8.8.8.8", 443, "memory.example"), ("2606:4700::1", 443, "memory.example"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "bad", [(V4, "127.0.0.1"), (V6, "::ffff:127.0.0.1"), (V4, "169.254.169.254"), (V6, "fe80::1%eth0")]
)
async def test_one_bad_address_refuses_the_name(bad: tuple[int, str]) -> None:
    resolver = GuardedResolver(allow_private=False, timeout_seconds=1, lookup=Names([(V4, "8.8.8.8"), bad]))

    with pytest.raises(AddressRefused, match=r"memory\.example"):
        await resolver.resolve("memory.example", 443)


async def test_a_lookup_that_hangs_ends() -> None:
    async def hang(host: str, port: int) -> list[tuple[int, str]]:
        await asyncio.sleep(60)
        return []

    resolver = GuardedResolver(allow_private=True, timeout_seconds=0.01, lookup=hang)
    with pytest.raises(TransportFailed, match="did not resolve") as error:
        await resolver.resolve("memory.example", 443)
    assert error.value.retryable


async def test_an_address_written_in_the_url_is_judged_at_the_socket() -> None:
    connector = GuardedConnector(allow_private=False, limit=2, connect_seconds=1)
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(AddressRefused):
            await session.get("http://127.0.0.1:9/")


async def test_a_name_that_turns_private_is_refused_on_its_next_connection() -> None:
    names = Names([(V4, "127.0.0.1")])
    connector = GuardedConnector(allow_private=False, limit=2, connect_seconds=1, lookup=names)
    async with aiohttp.ClientSession(connector=connector) as session:
        for _ in range(2):
            with pytest.raises(AddressRefused):
                await session.get("http://rebinding.example:9/")
    assert names.asked == 2, "answers are not cached"


async def test_the_peer_is_checked_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    class Transport:
        aborted = False

        def get_extra_info(self, name: str) -> tuple[str, int]:
            assert name == "peername"
            return ("10.0.0.1", 443)

        def abort(self) -> None:
            self.aborted = True

    transport = Transport()

    async def connected_elsewhere(*_: object, **__: object) -> tuple[Transport, None]:
        return transport, None

    # aiohttp's own step, so that this fails on the day when it is renamed and our override is never called.
    assert "_wrap_create_connection" in vars(aiohttp.TCPConnector)
    monkeypatch.setattr(aiohttp.TCPConnector, "_wrap_create_connection", connected_elsewhere)
    connector = GuardedConnector(allow_private=False, limit=2, connect_seconds=1, lookup=Names([(V4, "8.8.8.8")]))
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
            await session.get("http://memory.example/")

    assert transport.aborted
