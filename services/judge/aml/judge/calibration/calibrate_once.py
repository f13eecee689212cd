"""The fact of a calibration, stated once for each (release, code): at the start where it costs nothing, else before it counts."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import structlog

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.jobs import JobRequested
from aml.judge.chat_models import ChatModels
from aml.judge.errors import ReleaseGap
from aml.rules.identity import release_subject
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.clock import Clock
from aml.runtime.pipeline_digest import pipeline_digest
from aml.runtime.publish_once import publish_once
from aml.runtime.release_folder import LoadedRelease

from .calibration_set import CalibrationSetError, pinned_set
from .measure import calibrated, measure_judge

log = structlog.get_logger()


@dataclass
class Calibrations:
    bus: Bus
    clock: Clock
    models: ChatModels
    pipeline: Callable[[], str] = pipeline_digest
    _stated: set[str] = field(default_factory=set)
    _measuring: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def at_start(self, releases: Iterable[LoadedRelease]) -> None:
        """Rule judges, which take milliseconds. What fails here is done before the first score that needs it."""
        for release in releases:
            if release.release.judge.kind != "rules":
                continue
            try:
                await self._require(release)
            except (ReleaseGap, *TRANSIENT_BUS_ERRORS) as error:
                log.warning("judge.not_calibrated", release_id=release.release.release_id, error=str(error))

    async def before_scoring(self, requested: JobRequested, release: LoadedRelease) -> None:
        """Only full runs can be published. Raises `UnscoredError` when the judge's model cannot be asked."""
        if requested.mode == "full" and release.digest not in self._stated:
            await self._require(release)

    async def _require(self, release: LoadedRelease) -> None:
        """One measurement at a time and process. Of two processes the first one's fact stands, and both go on."""
        demand = release.release.calibration
        async with self._measuring[release.digest]:
            if release.digest in self._stated:
                return
            if demand is not None:
                await self._state(release, demand.answers, demand.sha256)
            self._stated.add(release.digest)

    async def _state(self, release: LoadedRelease, answers: str, sha256: str) -> None:
        try:
            pinned = pinned_set(answers, sha256)
        except CalibrationSetError as error:
            raise ReleaseGap("internal", str(error)) from None
        pipeline = self.pipeline()
        subject = release_subject(release.release.release_id, JudgeCalibrated, release.digest, pipeline)
        if await self.bus.last_event(subject) is not None:
            return
        measured = await measure_judge(release, pinned, self.models.judging(release))
        fact = calibrated(measured, release, pipeline, self.clock.now_ms())
        await publish_once(self.bus, fact)
        log.info(
            "judge.calibrated",
            release_id=fact.release_id,
            judge=fact.judge,
            labelled=fact.labelled,
            agreed=fact.agreed,
            kappa=fact.kappa,
        )
