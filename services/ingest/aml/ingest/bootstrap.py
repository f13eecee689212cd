"""Wires the ingest service: the contract doctor and the planner as reactors, and a lane of samples for each running job."""

import asyncio

import structlog

from aml.contracts.fair_play import CanaryPlanned
from aml.contracts.units import SamplePlanned
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.job_lanes import JobLanes
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.lane import Delivery, Lane
from aml.runtime.open_jobs import OpenJob, OpenJobs
from aml.runtime.participants import Participants
from aml.runtime.pipeline_digest import pipeline_digest
from aml.runtime.reactors import keep_reactors
from aml.runtime.releases import Releases
from aml.runtime.sample_packs import SamplePacks
from aml.runtime.serve import http_server, probe_routes, until_stopped
from aml.runtime.vault import Vault

from .check_contract import ContractChecker
from .ingest_sample import SampleIngester
from .own_datasets import provide_own_datasets
from .plan_job import JobPlanner
from .probe_isolation import IsolationProber
from .reactions import Reactions
from .settings import IngestSettings

log = structlog.get_logger()


async def serve(settings: IngestSettings) -> None:
    """Until SIGTERM or SIGINT."""
    stop = await until_stopped()
    provide_own_datasets(settings.files.datasets)
    clock = SystemClock()
    store = object_store(settings.evidence.url)
    kek = KeyEncryptionKey.from_file(settings.evidence.kek_file)
    evidence = EvidenceStore(store, kek)
    releases = Releases(settings.files.releases)
    bus = Bus(settings.nats, name="aml-ingest")
    jobs = OpenJobs(bus)
    packs = SamplePacks(bus, evidence)
    participants = Participants(evidence, Vault(store, kek), releases.of, settings.network.allow_private)
    planner = JobPlanner(bus, evidence, clock, settings.files.datasets, pipeline_digest(), releases.of)
    checker = ContractChecker(bus, evidence, clock, participants, jobs.ended)
    ingester = SampleIngester(bus, clock, jobs, packs, participants)
    prober = IsolationProber(bus, evidence, clock, jobs, participants)

    async def work(planned: SamplePlanned | CanaryPlanned, delivery: Delivery) -> None:
        if isinstance(planned, CanaryPlanned):
            await prober.probe(planned, delivery)
        else:
            await ingester.ingest(planned, delivery)

    def lane_of(job: OpenJob, durable: str) -> Lane[SamplePlanned | CanaryPlanned]:
        return Lane(
            bus,
            clock,
            durable=durable,
            stage="ingest",
            triggers=(SamplePlanned, CanaryPlanned),
            job_id=job.requested.job_id,
            concurrency=max(1, job.requested.add_concurrency),
            handle=work,
        )

    lanes = JobLanes(bus, lane_of, prefix="ingest")
    jobs.on_planned = lanes.start

    def ended(job_id: str) -> None:
        lanes.end(job_id)
        participants.end(job_id)

    jobs.on_ended = ended

    Reactions(bus, clock, jobs, planner, checker).register()

    async with http_server(
        settings.http, probe_routes({"bus": bus.check_connected, "evidence": evidence.check_writable})
    ):
        await bus.connect()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(jobs.watch(stop))
            await jobs.caught_up.wait()
            await bus.broker.start()
            tasks.create_task(keep_reactors(bus, stop))
            log.info("ingest.ready")
            await stop.wait()
            await lanes.stop_all()
            await participants.close()
        await bus.close()
