"""A gate event as its job's results. Pure."""

from collections.abc import Iterable

from aml.contracts.events import decode_event
from aml.contracts.seals import GatePassed, GateRefused
from aml.rules.capability_scores import capability_scores

from .views import CapabilityResult, DatasetMeasures, Results


def results_of(stored: bytes, measures: Iterable[DatasetMeasures] = ()) -> Results:
    event = decode_event(stored)
    assert isinstance(event, GatePassed | GateRefused)
    return Results(
        job_id=event.job_id,
        gate="passed" if isinstance(event, GatePassed) else "refused",
        subject=event.subject,
        seal=event.seal,
        result=event.result,
        checks=event.checks,
        capabilities=tuple(
            CapabilityResult(
                capability=each.capability,
                planned=each.planned,
                scored=each.scored,
                score=each.score,
                interval=each.interval,
            )
            for each in capability_scores(event.result)
        ),
        measures=tuple(measures),
    )
