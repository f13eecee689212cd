"""The ledger as an auditor reads it: over HTTP, believed only as far as the rules confirm it."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import httpx

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.envelope import JobFact, UnitFact
from aml.contracts.jobs import JobPlanned, JobRequested
from aml.contracts.release import ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.units import (
    AnswerGenerated,
    ChunkAdded,
    QuestionOpened,
    SampleIngested,
    SamplePlanned,
    SearchReturned,
)
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.rules.checkpoint import open_checkpoint, parse_verifier_key
from aml.rules.entry import ReadEntry
from aml.rules.gate import EarlierPass, GateBundle
from aml.rules.gate_chain import check_chain
from aml.rules.verify import verify_claim, verify_entries
from aml.runtime.release_folder import find_release, load_release

_PAGE = 1000


async def read_log(ledger: str, verifier_file: Path) -> list[ReadEntry]:
    """Every signed entry. Raises `LogInvalid` unless they are dense and hash to the checkpoint's root."""
    async with httpx.AsyncClient(base_url=ledger, trust_env=False, timeout=30.0) as http:
        note = (await http.get("/log/checkpoint")).raise_for_status().text
        checkpoint = open_checkpoint(note, parse_verifier_key(verifier_file.read_text().strip()))
        lines: list[bytes] = []
        while len(lines) < checkpoint.size:
            count = min(_PAGE, checkpoint.size - len(lines))
            page = await http.get("/log/entries", params={"start": len(lines), "count": count})
            lines += page.raise_for_status().content.splitlines()
    return verify_entries(checkpoint, lines)


async def read_decided_log(
    ledger: str, verifier_file: Path, job_id: str, *, within_seconds: float = 20.0
) -> list[ReadEntry]:
    """The log once a signed head covers the job's decision, which the stream has earlier."""
    deadline = time.monotonic() + within_seconds
    while True:
        log = await read_log(ledger, verifier_file)
        if any(isinstance(each.event, GatePassed | GateRefused) for each in entries_of(log, job_id)):
            return log
        assert time.monotonic() < deadline, f"no signed entry decides on {job_id} after {within_seconds} s"
        await asyncio.sleep(0.2)


def entries_of(log: Sequence[ReadEntry], job_id: str) -> list[ReadEntry]:
    return [each for each in log if isinstance(each.event, JobFact) and each.event.job_id == job_id]


def units_of(entries: Sequence[ReadEntry], *kinds: type[UnitFact]) -> Counter[str]:
    """How many facts of these kinds each unit has."""
    return Counter(each.event.unit for each in entries if isinstance(each.event, kinds))


def require_whole_job(log: Sequence[ReadEntry], job_id: str) -> GatePassed | GateRefused:
    """The job's decision, after its chain, its units and the decision itself have been checked."""
    entries = entries_of(log, job_id)
    decision = require_decision(log, job_id)
    assert [one.code for one in decision.checks if one.name in ("chain", "seal", "state")] == ["ok"] * 3
    [plan] = [each.event for each in entries if isinstance(each.event, JobPlanned)]
    planned: dict[type[UnitFact], int] = {
        SamplePlanned: plan.samples,
        ChunkAdded: plan.chunks,
        SampleIngested: plan.samples,
    }
    planned |= dict.fromkeys((QuestionOpened, SearchReturned, AnswerGenerated), plan.questions)
    for kind, expected in planned.items():
        require_once_each(entries, kind, expected=expected)
    require_once_each(entries, AnswerScored, UnitUnscored, expected=plan.questions)
    return decision


def require_once_each(entries: Sequence[ReadEntry], *kinds: type[UnitFact], expected: int) -> None:
    units = units_of(entries, *kinds)
    names = "/".join(kind.__name__ for kind in kinds)
    assert len(units) == expected, f"{names}: {len(units)} units, planned {expected}"
    assert set(units.values()) <= {1}, f"{names}: {[each for each in units.items() if each[1] > 1][:3]}"


def require_decision(log: Sequence[ReadEntry], job_id: str) -> GatePassed | GateRefused:
    """The one decision on the job's one seal; the chain to the seal is whole, and the gate says the same when run again."""
    entries = entries_of(log, job_id)
    [sealed] = [each for each in entries if isinstance(each.event, JobSealed)]
    seal = sealed.event
    assert isinstance(seal, JobSealed)
    chain = {check.name: check.code for check in check_chain(entries, sealed, seal)}
    assert chain["chain"] == chain["seal"] == "ok", chain
    [decision] = [each.event for each in entries if isinstance(each.event, GatePassed | GateRefused)]
    assert verify_claim(_bundle(log, entries, sealed), decision) == ()
    return decision


def _bundle(log: Sequence[ReadEntry], entries: Sequence[ReadEntry], sealed: ReadEntry) -> GateBundle:
    before = log[: sealed.index]
    [request] = [each.event for each in entries if isinstance(each.event, JobRequested)]
    return GateBundle(
        entries=tuple(each for each in entries if each.index <= sealed.index),
        release=load_release(find_release(request.release_id)).release,
        locks=tuple(
            (each.index, each.event)
            for each in before
            if isinstance(each.event, ReleaseLocked) and each.event.release_id == request.release_id
        ),
        earlier=tuple(
            EarlierPass(
                index=each.index, job_id=each.event.job_id, subject=each.event.subject, sketch=each.event.sketch
            )
            for each in before
            if isinstance(each.event, GatePassed)
        ),
        calibrations=tuple(
            (each.index, each.event)
            for each in before
            if isinstance(each.event, JudgeCalibrated) and each.event.release_id == request.release_id
        ),
    )
