"""The gate on the evaluation contract: the job ran under the locked release, with its data, models, rules and limits."""

from collections.abc import Sequence
from itertools import islice

from aml.contracts.jobs import JobPlanned, JobRequested
from aml.contracts.release import Release, ReleaseLocked
from aml.contracts.seals import GateCheck
from aml.contracts.units import AnswerGenerated
from aml.contracts.verdicts import AnswerScored

from .entry import ReadEntry
from .gate_check import ENTRIES_NAMED, Finding, equal, passed, refused

Locks = Sequence[tuple[int, ReleaseLocked]]


def check_contract(
    request: JobRequested,
    planned: ReadEntry | None,
    entries: Sequence[ReadEntry],
    release: Release | None,
    locks: Locks,
    request_index: int,
) -> list[GateCheck]:
    """`entries` are those that the seal closes."""
    checks = _locked(request, locks, request_index)
    if planned is not None and isinstance(planned.event, JobPlanned):
        checks += _planned_under(request, planned.event, planned.index)
    if release is None or release.release_id != request.release_id:
        return [*checks, refused("release", _no_release(request, request_index))]
    checks += _request_within(request, release, request_index)
    if planned is not None and isinstance(planned.event, JobPlanned):
        checks.append(_datasets(planned.event, planned.index, release))
    return [*checks, _answers(entries, release), _scoring(entries, release)]


def _no_release(request: JobRequested, index: int) -> Finding:
    return Finding("release_unknown", request.release_id, "no such release", [index])


def _locked(request: JobRequested, locks: Locks, request_index: int) -> list[GateCheck]:
    mine = [(index, lock) for index, lock in locks if lock.release_digest == request.release_digest]
    indices = [index for index, _ in mine]
    if not mine:
        known = ", ".join(sorted({lock.release_digest for _, lock in locks})) or "no lock"
        return [
            refused("release_digest", Finding("release_not_locked", request.release_digest, known, [request_index]))
        ]
    digest = passed("release_digest", request.release_digest, request.release_digest, indices)
    pipelines = {lock.pipeline_digest for _, lock in mine}
    if request.pipeline_digest in pipelines:
        return [digest, passed("pipeline", request.pipeline_digest, request.pipeline_digest, indices)]
    found = Finding("pipeline_not_locked", ", ".join(sorted(pipelines)), request.pipeline_digest, indices)
    return [digest, refused("pipeline", found)]


def _planned_under(request: JobRequested, plan: JobPlanned, index: int) -> list[GateCheck]:
    return [
        equal("planned_release", "planned_otherwise", request.release_digest, plan.release_digest, [index]),
        equal("planned_pipeline", "planned_otherwise", request.pipeline_digest, plan.pipeline_digest, [index]),
    ]


def _request_within(request: JobRequested, release: Release, index: int) -> list[GateCheck]:
    checks = [
        equal("track", "other_track", release.track, request.track, [index]),
        equal("top_k", "other_top_k", release.top_k, request.top_k, [index]),
        _whole(request, index),
    ]
    if request.allow_private and not release.allow_private:
        text = "public addresses only"
        checks.append(refused("addresses", Finding("private_addresses", text, "private ones allowed", [index])))
    else:
        checks.append(passed("addresses", "as the release allows", "as the release allows", [index]))
    return checks


def _whole(request: JobRequested, index: int) -> GateCheck:
    limited = [f"{pin.name} limited to {pin.limit}" for pin in request.datasets if pin.limit is not None]
    if not limited:
        return passed("limits", "whole datasets", "whole datasets", [index])
    return refused("limits", Finding("limited_dataset", "whole datasets", ", ".join(limited), [index]))


def _datasets(plan: JobPlanned, index: int, release: Release) -> GateCheck:
    """Names, versions, hashes and numbers of questions are the pinned ones, none more and none less."""
    wanted = sorted((pin.name, pin.version, pin.sha256, pin.samples, pin.questions) for pin in release.datasets)
    found = sorted((each.name, each.version, each.sha256, each.samples, each.questions) for each in plan.datasets)
    if wanted == found:
        return passed("datasets", _listed(wanted), _listed(found), [index])
    return refused("datasets", Finding("other_datasets", _listed(wanted), _listed(found), [index]))


def _listed(pins: Sequence[tuple[str, str, str, int, int]]) -> str:
    return "; ".join(f"{name} {version} {sha256[:12]} {n}/{q}" for name, version, sha256, n, q in pins)


def _answers(entries: Sequence[ReadEntry], release: Release) -> GateCheck:
    """The answerer begins with its kind; what follows a colon is its model."""
    wanted = release.answer.kind if release.answer.model is None else f"{release.answer.kind}:{release.answer.model}"
    others = [
        (entry.index, entry.event.answerer)
        for entry in entries
        if isinstance(entry.event, AnswerGenerated) and not _is_answerer(entry.event.answerer, release)
    ]
    if not others:
        return passed("answerer", wanted, wanted, _of(entries, AnswerGenerated))
    found = ", ".join(sorted({answerer for _, answerer in others}))
    return refused("answerer", Finding("other_answerer", wanted, found, [index for index, _ in others]))


def _is_answerer(answerer: str, release: Release) -> bool:
    kind, _, model = answerer.partition(":")
    return kind == release.answer.kind and model in ("", release.answer.model)


def _scoring(entries: Sequence[ReadEntry], release: Release) -> GateCheck:
    rules = sorted({rule.rule for rule in release.scoring.values()})
    others = [
        (entry.index, entry.event.rule)
        for entry in entries
        if isinstance(entry.event, AnswerScored) and entry.event.rule not in rules
    ]
    if not others:
        return passed("scoring", ", ".join(rules), ", ".join(rules), _of(entries, AnswerScored))
    found = ", ".join(sorted({rule for _, rule in others}))
    return refused("scoring", Finding("other_rule", ", ".join(rules), found, [index for index, _ in others]))


def _of(entries: Sequence[ReadEntry], kind: type) -> list[int]:
    """The first few; a check that looked at all of them names no more."""
    return list(islice((entry.index for entry in entries if isinstance(entry.event, kind)), ENTRIES_NAMED))
