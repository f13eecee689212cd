"""Wires the judge: one lane that answers and one that scores, so that a failed judgement never repeats an answer."""

import asyncio

import structlog

from aml.contracts.units import AnswerGenerated, SearchReturned
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.lane import Lane
from aml.runtime.open_jobs import OpenJobs
from aml.runtime.release_folder import bundled_releases
from aml.runtime.releases import Releases
from aml.runtime.sample_packs import SamplePacks
from aml.runtime.serve import http_server, probe_routes, until_stopped

from .answer_question import QuestionAnswerer
from .calibration.calibrate_once import Calibrations
from .chat_models import ChatModels
from .model_endpoint import endpoint_of
from .recent_evidence import RecentEvidence
from .recent_searches import RecentSearches
from .release_check import check_release
from .score_answer import AnswerScorer
from .settings import JudgeSettings

log = structlog.get_logger()


async def serve(settings: JudgeSettings) -> None:
    """Until SIGTERM or SIGINT."""
    stop = await until_stopped()
    clock = SystemClock()
    kek = KeyEncryptionKey.from_file(settings.evidence.kek_file)
    evidence = EvidenceStore(object_store(settings.evidence.url), kek)
    recent = RecentEvidence(evidence)
    releases = Releases(settings.files.releases)
    bundled = bundled_releases()
    for release_id, folder in bundled.items():
        check_release(releases.loaded(release_id), folder)
    bus = Bus(settings.nats, name="aml-judge")
    jobs = OpenJobs(bus)
    packs = SamplePacks(bus, evidence)
    searches = RecentSearches(bus)
    models = ChatModels(endpoint_of(settings.openai), clock)
    answerer = QuestionAnswerer(bus, clock, recent, searches, jobs, packs, releases, models)
    calibrations = Calibrations(bus, clock, models)
    scorer = AnswerScorer(bus, clock, recent, searches, jobs, packs, releases, models, calibrations)
    answering = Lane(
        bus,
        clock,
        durable="judge-answer",
        stage="answer",
        triggers=(SearchReturned,),
        job_id="*",
        concurrency=settings.answer_concurrency,
        handle=answerer.answer,
    )
    scoring = Lane(
        bus,
        clock,
        durable="judge-score",
        stage="scoring",
        triggers=(AnswerGenerated,),
        job_id="*",
        concurrency=settings.scoring_concurrency,
        handle=scorer.score,
    )

    async with http_server(
        settings.http, probe_routes({"bus": bus.check_connected, "evidence": evidence.check_writable})
    ):
        await bus.connect()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(jobs.watch(stop))
            await jobs.caught_up.wait()
            await calibrations.at_start(releases.loaded(release_id) for release_id in bundled)
            log.info("judge.ready")
            tasks.create_task(answering.run(stop))
            tasks.create_task(scoring.run(stop))
        await models.close()
        await bus.close()
