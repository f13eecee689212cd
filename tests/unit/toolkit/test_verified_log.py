"""What is read from a log is what its checkpoint stands for, whole and in order."""

import httpx
import msgspec
import pytest
from tests.factories.audited_logs import AuditedLog, a_log_of
from tests.factories.cosigners import a_note

from aml.contracts.events import Event
from aml.rules.entry import read_entry
from aml.rules.merkle import Frontier, leaf_hash
from aml.toolkit.audit.errors import LogDiffers
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.verified_log import EntryUnknown, verified_events


def root_of(bodies: list[bytes]) -> bytes:
    tree = Frontier()
    for body in bodies:
        tree.append(leaf_hash(body))
    return tree.root()


async def read(bodies: list[bytes], root: bytes, *, start: int = 0) -> list[Event]:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/entries"):
            first, count = (int(request.url.params[name]) for name in ("start", "count"))
            return httpx.Response(200, content=b"\n".join(bodies[first : first + count]))
        return httpx.Response(200, text=a_note(len(bodies), root))

    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    async with LogSource("http://ledger", http=http) as source:
        return [event async for event in verified_events(source, start=start)]


@pytest.fixture
def log() -> AuditedLog:
    return a_log_of()


async def test_every_event_comes_in_order(log: AuditedLog) -> None:
    expected = [read_entry(body).event for body in log.bodies]
    assert await read(log.bodies, root_of(log.bodies)) == expected
    assert await read(log.bodies, root_of(log.bodies), start=5) == expected[5:]


async def test_another_tree_is_refused(log: AuditedLog) -> None:
    with pytest.raises(LogDiffers):
        await read(log.bodies, root_of(log.bodies[:-1]))


async def test_an_unknown_version_stops_the_reader_at_its_entry(log: AuditedLog) -> None:
    entry = msgspec.json.decode(log.bodies[3])
    entry["event"]["type"] = "from_tomorrow.v2"
    bodies = [*log.bodies[:3], msgspec.json.encode(entry, order="sorted"), *log.bodies[4:]]
    with pytest.raises(EntryUnknown, match=r"entry 3 .*from_tomorrow\.v2") as stopped:
        await read(bodies, root_of(bodies))
    assert stopped.value.index == 3
