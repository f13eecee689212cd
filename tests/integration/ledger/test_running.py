"""The service as a whole: restarts, companions, lost streams, public files, witnesses."""

import asyncio
import contextlib
import socket
from pathlib import Path

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job
from tests.factories.paper_ledger import verify_files
from tests.integration.ledger.running_ledger import appended, has, running, shows
from tests.integration.ledger.stored_log import ORIGIN, eventually, lose_stream

from aml.contracts.access import KeyIssued
from aml.ledger.log_keys import generate_keys
from aml.ledger.settings import AppendSettings, LedgerSettings, WitnessSettings
from aml.rules.checkpoint import open_checkpoint, parse_verifier_key
from aml.rules.identity import subject_of
from aml.rules.tlog_proof import parse_tlog_proof
from aml.rules.verify import verify_entries, verify_entry
from aml.rules.witness_policy import open_cosigned, parse_policy
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import HttpSettings
from aml.toolkit.witness.witness_api import WitnessApi, log_keys
from aml.toolkit.witness.witness_key import make_cosigner
from aml.toolkit.witness.witness_memory import WitnessMemory


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/log/checkpoint", 404),
        ("/log/proof/0", 404),
        ("/log/proof/x", 422),
        ("/log/proof/0?size=-1", 422),
        ("/log/entries?start=x", 422),
        ("/log/consistency?old=1", 404),
        ("/log/jobs/nobody", 404),
        ("/log/indices?event_id=x", 200),
        ("/log/verifier", 200),
        ("/log/entries", 200),
        ("/health/live", 200),
        ("/metrics", 200),
    ],
)
async def test_an_empty_log_answers_every_question(bus: Bus, settings: LedgerSettings, path: str, status: int) -> None:
    async with running(settings) as client:
        assert await client.status(path) == status


async def test_a_restart_goes_on_where_the_log_stands(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=30, mode="smoke")
    for event in events[:60]:
        await publish_once(bus, event)
    async with running(settings) as client:
        await eventually(lambda: has(client, 60))
    for event in events[60:]:
        await publish_once(bus, event)
    async with running(settings) as client:
        await eventually(lambda: has(client, len(events) + 2))
        key = parse_verifier_key(await client.text("/log/verifier"))
        checkpoint = open_checkpoint(await client.text("/log/checkpoint"), key)
        entries = verify_entries(checkpoint, await client.lines("/log/entries?count=1000"))
    assert [each.event for each in entries[: len(events)]] == events


async def test_two_ledgers_together_leave_one_dense_log(bus: Bus, settings: LedgerSettings, tmp_path: Path) -> None:
    events = [event for n in range(4) for event in a_job(f"job-{n}", questions=20, mode="smoke")]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        other_port = probe.getsockname()[1]
    other = LedgerSettings(
        files=settings.files,
        signer=settings.signer,
        log_store=settings.log_store,
        http=HttpSettings(port=other_port),
        nats=settings.nats,
        database=settings.database,
        append=AppendSettings(batch_events=31),
    )
    async with running(settings) as client, running(other):
        for event in events:
            await publish_once(bus, event)
        await eventually(lambda: has(client, len(events) + 8))
        key = parse_verifier_key(await client.text("/log/verifier"))
        checkpoint = open_checkpoint(await client.text("/log/checkpoint"), key)
        entries = verify_entries(checkpoint, await client.lines("/log/entries?count=1000"))
    assert len({each.event_id for each in entries}) == len(entries) == len(events) + 8
    shown = verify_files(tmp_path / "public", key)
    assert shown is not None
    assert shown.size >= len(entries)


async def test_an_emptied_stream_gets_its_open_job_back(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=5, mode="smoke")
    for event in events[:-1]:
        await publish_once(bus, event)
    async with running(settings) as client:
        await eventually(lambda: has(client, len(events) - 1))
    await lose_stream(bus)
    async with running(settings) as client:
        await eventually(lambda: bus.last_event(subject_of(events[-2])))
        await publish_once(bus, events[-1])
        await eventually(lambda: has(client, len(events) + 2))
        entries = await client.lines("/log/entries?count=1000")
    assert len(entries) == len(events) + 2


async def test_the_public_files_verify_alone_and_old_checkpoints_stay_readable(
    bus: Bus, settings: LedgerSettings, tmp_path: Path
) -> None:
    events = a_job("a", questions=80, mode="smoke")
    async with running(settings) as client:
        for event in events:
            await publish_once(bus, event)
        await eventually(lambda: has(client, len(events) + 2))
        key = parse_verifier_key(await client.text("/log/verifier"))
        shown = verify_files(tmp_path / "public", key)
        assert shown is not None
        assert shown.size == len(events) + 2
        assert await client.text("/checkpoint") == await client.text("/log/checkpoint")
        assert await client.text(f"/log/checkpoint?size={shown.size}") == await client.text("/log/checkpoint")
        assert await client.status("/log/checkpoint?size=100000") == 404
        assert (await client.text("/log/verifiers")).splitlines() == [str(key)]
        proof = parse_tlog_proof(await client.text("/log/tlog-proof/7"))
        body = (await client.lines("/log/entries?start=7&count=1"))[0]
        verify_entry(open_checkpoint(proof.checkpoint, key), body, proof.proof)


async def test_a_checkpoint_is_published_when_its_quorum_has_cosigned_it(
    bus: Bus, settings: LedgerSettings, tmp_path: Path
) -> None:
    generate_keys(settings.signer.key_file, ORIGIN)
    key_line = Path(f"{settings.signer.key_file}.pub").read_text()
    events = a_job("a", questions=5, mode="smoke")
    async with contextlib.AsyncExitStack() as held:
        lines = [f"log {key_line.strip()}"]
        servers: dict[str, TestServer] = {}
        for name in ("one", "two"):
            cosigner = make_cosigner(tmp_path / name / "key", f"{name}.example.org")
            memory = held.enter_context(WitnessMemory(tmp_path / name / "state"))
            application = web.Application()
            application.add_routes(WitnessApi(cosigner, log_keys([key_line]), memory, SystemClock()).routes())
            servers[name] = await held.enter_async_context(TestServer(application))
            lines.append(f"witness {name} {cosigner.key} {servers[name].make_url('')}")
        policy_file = tmp_path / "policy"
        policy_file.write_text("\n".join([*lines, "group both all one two", "quorum both", ""]))
        watched = msgspec.structs.replace(settings, witness=WitnessSettings(policy_file=policy_file))
        policy = parse_policy(policy_file.read_text())
        async with running(watched) as client:
            for event in events:
                await publish_once(bus, event)
            await eventually(lambda: has(client, len(events) + 2))
            note = await client.text("/log/checkpoint")
            assert open_cosigned(note, policy, now_s=SystemClock().now_ms() // 1000).size == len(events) + 2
            await eventually(lambda: shows(client, note))
            assert await client.text("/log/policy") == policy_file.read_text()

            await servers["two"].close()
            await publish_once(bus, an_event(KeyIssued))
            await eventually(lambda: appended(client, len(events) + 3))
            await asyncio.sleep(0.5)
            assert await client.text("/checkpoint") == await client.text("/log/checkpoint") == note
            assert await client.status("/health/ready") == 200
    shown = verify_files(tmp_path / "public", parse_verifier_key(key_line))
    assert shown is not None
    assert shown.size == len(events) + 2
