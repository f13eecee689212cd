import asyncio
import gc
import socket
import threading

import pytest

from aml.runtime.participant.errors import AddressRefused, TransportFailed
from aml.runtime.participant.guarded_dial import MOST_ADDRESSES, TRIED_ADDRESSES, GuardedDial
from aml.runtime.participant.name_lookup import Lookup, system_lookup
from aml.runtime.participant.origin import Origin

V4, V6 = socket.AF_INET, socket.AF_INET6
MEMORY = Origin("https", "memory.example", 443)


class Names:
    """A lookup that answers from a list, one answer a call."""

    def __init__(self, *answers: list[tuple[int, str]]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> list[tuple[int, str]]:
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


def dial(lookup: Lookup = system_lookup, *, allow_private: bool = False) -> GuardedDial:
    return GuardedDial(allow_private=allow_private, lookup=lookup, ssl_context=None)


async def connect(guarded: GuardedDial, origin: Origin) -> None:
    await guarded.connect(origin, asyncio.Protocol(), seconds=1)


async def test_public_addresses_are_handed_on() -> None:
    names = Names([(V4, "8.8.8.8"), (V6, "2606:4700::1")])

    found = await dial(names).addresses(MEMORY, seconds=1)

    assert [(family, address) for family, _, _, _, address in found] == [
        (V4, ("8.8.8.8", 443)), (V6, ("2606:4700::1", 443, 0, 0)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "bad", [(V4, "127.0.0.1"), (V6, "::ffff:127.0.0.1"), (V4, "169.254.169.254"), (V6, "fe80::1%eth0")]
)
async def test_one_bad_address_refuses_the_name(bad: tuple[int, str]) -> None:
    with pytest.raises(AddressRefused, match=r"memory\.example"):
        await dial(Names([(V4, "8.8.8.8"), bad])).addresses(MEMORY, seconds=1)


async def test_of_many_addresses_the_first_of_each_family_are_tried() -> None:
    """Each that does not answer holds a socket until the end."""
    fours, sixes = [f"8.8.8.{last}" for last in range(30)], [f"2606:4700::{last}" for last in range(1, 30)]
    names = Names([*((V4, address) for address in fours), *((V6, address) for address in sixes)])

    found = await dial(names).addresses(MEMORY, seconds=1)

    assert [address[0] for _, _, _, _, address in found] == fours[:TRIED_ADDRESSES] + sixes[:TRIED_ADDRESSES]


async def test_one_bad_address_behind_those_that_are_tried_refuses_the_name() -> None:
    names = Names([*((V4, f"8.8.8.{last}") for last in range(30)), (V4, "10.0.0.1")])
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
        await dial(names).addresses(MEMORY, seconds=1)


async def test_a_name_with_more_addresses_than_anybody_needs_is_refused_unread() -> None:
    names = Names([(V4, f"8.8.{last // 250}.{last % 250}") for last in range(MOST_ADDRESSES + 1)])
    with pytest.raises(AddressRefused, match="more than"):
        await dial(names).addresses(MEMORY, seconds=1)


async def test_who_wants_a_name_at_the_same_time_asks_once() -> None:
    """A name whose server does not answer must not take a thread for each call to it."""
    answer = asyncio.Event()
    asked: list[str] = []

    async def lookup(host: str, port: int) -> list[tuple[int, str]]:
        asked.append(host)
        await answer.wait()
        return [(V4, "8.8.8.8")]

    guarded = dial(lookup)
    with pytest.raises(TransportFailed, match="did not resolve"):
        await guarded.addresses(MEMORY, seconds=0.01)
    calls = [asyncio.ensure_future(guarded.addresses(MEMORY, seconds=5)) for _ in range(5)]
    await asyncio.sleep(0)
    calls[0].cancel()
    answer.set()
    found = await asyncio.gather(*calls, return_exceptions=True)

    assert asked == ["memory.example"]
    assert [len(each) for each in found if isinstance(each, list)] == [1] * 4
    await guarded.addresses(MEMORY, seconds=1)
    assert len(asked) == 2, "an answer is not kept"


async def test_a_lookup_that_fails_after_all_have_gone_is_heard_by_nobody() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))

    async def lookup(host: str, port: int) -> list[tuple[int, str]]:
        await asyncio.sleep(0.03)
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    with pytest.raises(TransportFailed, match="did not resolve"):
        await dial(lookup).addresses(MEMORY, seconds=0.01)
    await asyncio.sleep(0.05)
    gc.collect()
    assert not told


async def test_the_system_is_asked_in_threads_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    ask = socket.getaddrinfo

    def watched(host: str, port: int, **options: int) -> object:
        threads.append(threading.current_thread().name)
        if host == "no-such-name.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return ask(host, port, **options)

    monkeypatch.setattr(socket, "getaddrinfo", watched)
    assert await system_lookup("127.0.0.1", 9) == [(V4, "127.0.0.1")]
    with pytest.raises(OSError, match="no such name"):
        await system_lookup("no-such-name.invalid", 9)
    assert [name.rpartition("_")[0] for name in threads] == ["resolve", "resolve"]


async def test_a_lookup_that_hangs_ends() -> None:
    async def hang(host: str, port: int) -> list[tuple[int, str]]:
        await asyncio.sleep(60)
        return []

    with pytest.raises(TransportFailed, match="did not resolve") as error:
        await dial(hang).addresses(MEMORY, seconds=0.01)
    assert error.value.retryable


@pytest.mark.parametrize("found", ["nothing", "an error"])
async def test_a_name_that_leads_nowhere(found: str) -> None:
    async def lookup(host: str, port: int) -> list[tuple[int, str]]:
        if found == "an error":
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return []

    with pytest.raises(TransportFailed, match="does not resolve") as error:
        await connect(dial(lookup), MEMORY)
    assert error.value.retryable


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_an_address_written_in_the_url_is_judged_and_never_looked_up(host: str) -> None:
    names = Names([(V4, "8.8.8.8")])
    with pytest.raises(AddressRefused):
        await connect(dial(names), Origin("http", host, 9))
    assert names.asked == 0


async def test_a_name_that_turns_private_is_refused_on_its_next_connection() -> None:
    names = Names([(V4, "127.0.0.1")])
    guarded = dial(names)
    for _ in range(2):
        with pytest.raises(AddressRefused):
            await connect(guarded, Origin("http", "rebinding.example", 9))
    assert names.asked == 2, "answers are not kept"


async def test_a_port_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(TransportFailed, match="refused or the host is unreachable") as error:
        await connect(dial(allow_private=True), Origin("http", "127.0.0.1", port))
    assert error.value.retryable
    assert error.value.__context__ is None or error.value.__suppress_context__


async def test_the_peer_is_looked_at_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever routes a checked address elsewhere: the connection that stands decides."""
    heard = bytearray()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.extend(await reader.read())
        writer.close()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        home = server.sockets[0].getsockname()
        reach = asyncio.get_running_loop().sock_connect

        async def elsewhere(sock: socket.socket, address: object) -> None:
            await reach(sock, home)

        monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", elsewhere)
        with pytest.raises(AddressRefused, match=r"127\.0\.0\.1"):
            await connect(dial(Names([(V4, "8.8.8.8")])), MEMORY)

    assert not heard
