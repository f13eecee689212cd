"""From a plan to a report."""

import random
import secrets
from collections.abc import Callable

from aml.contracts.doctor import CheckReport, DoctorReport
from aml.contracts.participant import CallLimits, ParticipantTarget
from aml.runtime.clock import SystemClock
from aml.runtime.doctor import PATIENCE, Subject, examine
from aml.runtime.participant.client import ParticipantClient
from aml.runtime.secret import Secret

from .check_plan import WEB, CheckPlan
from .restart_command import run_restart


async def perform_check(plan: CheckPlan, on_report: Callable[[CheckReport], None]) -> DoctorReport:
    def connect(target: ParticipantTarget, secret: Secret | None) -> ParticipantClient:
        return ParticipantClient(
            target,
            secret=secret,
            policy=PATIENCE,
            limits=CallLimits(first_byte_seconds=plan.timeout_seconds, total_seconds=plan.timeout_seconds),
            schemes=WEB,
            allow_private=plan.allow_private,
            add_concurrency=plan.add_concurrency,
            search_concurrency=plan.search_concurrency,
            multimodal=plan.track == "multimodal",
            chance=random.random,
        )

    async def restart() -> None:
        await run_restart(plan.restart or ())

    subject = Subject(
        target=plan.target,
        secret=plan.key,
        track=plan.track,
        top_k=plan.top_k,
        add_concurrency=plan.add_concurrency,
        search_concurrency=plan.search_concurrency,
        restart=None if plan.restart is None else restart,
    )
    return await examine(subject, connect, run=secrets.token_hex(4), clock=SystemClock(), on_report=on_report)
