"""Wires the retrieval service: a lane of questions for each running job."""

import asyncio

import structlog

from aml.contracts.units import QuestionOpened
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.job_lanes import JobLanes
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.lane import Lane
from aml.runtime.open_jobs import OpenJob, OpenJobs
from aml.runtime.participants import Participants
from aml.runtime.releases import Releases
from aml.runtime.sample_packs import SamplePacks
from aml.runtime.serve import http_server, probe_routes, until_stopped
from aml.runtime.vault import Vault

from .fair_play_meter import FairPlayMeter
from .search_question import QuestionSearcher
from .settings import RetrievalSettings

log = structlog.get_logger()


async def serve(settings: RetrievalSettings) -> None:
    """Until SIGTERM or SIGINT."""
    stop = await until_stopped()
    clock = SystemClock()
    store = object_store(settings.evidence.url)
    kek = KeyEncryptionKey.from_file(settings.evidence.kek_file)
    evidence = EvidenceStore(store, kek)
    releases = Releases(settings.files.releases)
    bus = Bus(settings.nats, name="aml-retrieval")
    jobs = OpenJobs(bus)
    packs = SamplePacks(bus, evidence)
    participants = Participants(evidence, Vault(store, kek), releases.of, settings.network.allow_private)
    fair_play = FairPlayMeter(evidence, clock, packs, participants)
    searcher = QuestionSearcher(bus, clock, evidence, jobs, packs, participants, fair_play)

    def lane_of(job: OpenJob, durable: str) -> Lane[QuestionOpened]:
        return Lane(
            bus,
            clock,
            durable=durable,
            stage="retrieval",
            triggers=(QuestionOpened,),
            job_id=job.requested.job_id,
            concurrency=max(1, job.requested.search_concurrency),
            handle=searcher.search,
        )

    lanes = JobLanes(bus, lane_of, prefix="retrieval")
    jobs.on_planned = lanes.start

    def ended(job_id: str) -> None:
        lanes.end(job_id)
        participants.end(job_id)

    jobs.on_ended = ended

    async with http_server(
        settings.http, probe_routes({"bus": bus.check_connected, "evidence": evidence.check_writable})
    ):
        await bus.connect()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(jobs.watch(stop))
            await jobs.caught_up.wait()
            log.info("retrieval.ready")
            await stop.wait()
            await lanes.stop_all()
            await participants.close()
        await bus.close()
