"""One client a job, made from the job's own evidence."""

import asyncio
from typing import Any

import pytest
from obstore.store import MemoryStore
from tests.factories.events import JOB, RELEASE_ID, a_digest, an_event

from aml.contracts.jobs import JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import ModelSettings, Release, RetryPolicy
from aml.rules.identity import event_id
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.participant.client import ParticipantClient
from aml.runtime.participant.errors import AddressRefused
from aml.runtime.participants import Participants
from aml.runtime.secret import Secret
from aml.runtime.vault import SecretUnavailable, Vault

KEK = KeyEncryptionKey(bytes(32))
RELEASE = Release(
    release_id=RELEASE_ID,
    title="Practice",
    comparable=False,
    track="textual",
    top_k=20,
    answer=ModelSettings(kind="extractive"),
    judge=ModelSettings(kind="rules"),
    scoring={},
    datasets=(),
    smoke_datasets=(),
    retry=RetryPolicy(attempts=2),
    allow_private=True,
    allowed_schemes=("http", "https"),
)


class World:
    def __init__(self) -> None:
        store = MemoryStore()
        self.evidence = EvidenceStore(store, KEK)
        self.vault = Vault(store, KEK)
        self.participants = Participants(self.evidence, self.vault, self._release, allow_private=True)
        self.asked: list[str] = []

    def _release(self, release_id: str) -> tuple[Release, str]:
        self.asked.append(release_id)
        return RELEASE, a_digest("release")

    async def a_job(self, job_id: str = JOB, **target: Any) -> JobRequested:
        requested = an_event(JobRequested, job_id=job_id, allow_private=True)
        urls = {"add_url": "http://127.0.0.1:9/add", "search_url": "http://127.0.0.1:9/search"}
        shape = ParticipantTarget(**(urls | target))
        ref = await self.evidence.put_json(job_id, event_id(requested), shape)
        return an_event(JobRequested, job_id=job_id, allow_private=True, target=ref)


@pytest.fixture
async def world() -> Any:
    world = World()
    yield world
    await world.participants.close()


async def test_units_of_a_job_share_one_client(world: World) -> None:
    requested = await world.a_job()
    clients = await asyncio.gather(*(world.participants.client_of(requested) for _ in range(10)))
    assert isinstance(clients[0], ParticipantClient)
    assert all(client is clients[0] for client in clients)
    assert world.asked == [RELEASE_ID]


async def test_two_jobs_have_two_clients(world: World) -> None:
    one, other = await world.a_job("job-1"), await world.a_job("job-2")
    assert await world.participants.client_of(one) is not await world.participants.client_of(other)


async def test_the_retry_policy_is_the_releases(world: World) -> None:
    await world.participants.client_of(await world.a_job())
    assert world.participants.policy_of(JOB) == RELEASE.retry


async def test_a_client_keeps_the_releases_limits_and_the_jobs_concurrency(world: World) -> None:
    client = await world.participants.client_of(await world.a_job())
    requested = an_event(JobRequested)
    allowed = [client.turnstiles[call].pace.ceiling for call in ("add", "search")]
    assert allowed == [requested.add_concurrency, requested.search_concurrency]


async def test_the_releases_ports_bind_unless_private_addresses_are_allowed(world: World) -> None:
    assert isinstance(await world.participants.client_of(await world.a_job("job-1")), ParticipantClient)
    world.participants.allow_private = False
    elsewhere = {"add_url": "http://203.0.114.7:2222/add", "search_url": "http://203.0.114.7:443/search"}
    with pytest.raises(AddressRefused, match="port 2222"):
        await world.participants.client_of(await world.a_job("job-2", **elsewhere))
    usual = {"add_url": "http://203.0.114.7/add", "search_url": "http://203.0.114.7:8443/search"}
    assert isinstance(await world.participants.client_of(await world.a_job("job-3", **usual)), ParticipantClient)


async def test_a_jobs_end_forgets_its_client(world: World) -> None:
    requested = await world.a_job()
    first = await world.participants.client_of(requested)
    world.participants.end(JOB)
    assert world.participants.policy_of(JOB) == RetryPolicy()
    assert await world.participants.client_of(requested) is not first


async def test_a_sealed_key_is_opened_for_the_client(world: World) -> None:
    secret_id = await world.vault.seal(Secret("sk-0123456789"))
    requested = await world.a_job(auth="bearer", secret_id=secret_id)
    assert isinstance(await world.participants.client_of(requested), ParticipantClient)


async def test_a_key_that_is_gone_is_said_and_tried_again_next_time(world: World) -> None:
    requested = await world.a_job(auth="bearer", secret_id="0123456789abcdef0123")
    for _ in range(2):
        with pytest.raises(SecretUnavailable):
            await world.participants.client_of(requested)
    assert len(world.asked) == 2


async def test_ending_a_job_that_never_began_leaves_the_others(world: World) -> None:
    requested = await world.a_job()
    first = await world.participants.client_of(requested)
    world.participants.end("job-unknown")
    assert await world.participants.client_of(requested) is first


async def test_a_client_that_is_still_being_made_at_its_jobs_end_is_closed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[ParticipantClient] = []

    async def close(client: ParticipantClient) -> None:
        closed.append(client)

    monkeypatch.setattr(ParticipantClient, "close", close)
    making = asyncio.ensure_future(world.participants.client_of(await world.a_job()))
    await asyncio.sleep(0)
    world.participants.end(JOB)
    await world.participants.close()
    assert closed == [await making]
