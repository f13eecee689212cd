"""The gate on the judge: measured on the release's labelled answers, by the code that ran the job, and good enough.

Codes: `judge_not_calibrated`, no such measurement before the seal; `other_calibration`, of other answers or of another judge;
`calibration_small`, over too few answers; `judge_below_threshold`. `no_threshold` passes: the release asks for nothing.
"""

from collections.abc import Sequence

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.jobs import JobRequested
from aml.contracts.release import Calibration, Release
from aml.contracts.seals import GateCheck

from .calibration import judge_name
from .gate_check import Finding, noted, passed, refused

Calibrations = Sequence[tuple[int, JudgeCalibrated]]

_NAME = "judge_calibrated"


def check_calibration(
    request: JobRequested, release: Release | None, calibrations: Calibrations, request_index: int
) -> list[GateCheck]:
    """Nothing to say of a job without its release, which is refused for that already."""
    if release is None or release.release_id != request.release_id:
        return []
    return [_calibrated(request, release, calibrations, request_index)]


def _calibrated(request: JobRequested, release: Release, calibrations: Calibrations, request_index: int) -> GateCheck:
    demand = release.calibration
    if demand is None:
        text = "the release asks for no calibration"
        return noted(_NAME, Finding("no_threshold", text, text, [request_index]))
    if request.mode != "full":
        text = f"none for mode {request.mode}"
        return passed(_NAME, text, text, [request_index])
    expected = (
        f"agreement of {demand.threshold} millionths or more over {demand.minimum} or more answers of {demand.answers}"
    )
    mine = [
        (index, each)
        for index, each in calibrations
        if (each.release_digest, each.pipeline_digest) == (request.release_digest, request.pipeline_digest)
    ]
    if not mine:
        found = "no measurement of this release and code before the seal"
        return refused(_NAME, Finding("judge_not_calibrated", expected, found, [request_index]))
    index, measured = mine[0]
    shown = (
        f"agreement {measured.agreement}, kappa {measured.kappa} over {measured.labelled} answers of "
        f"{measured.answers}, judge {measured.judge}"
    )
    code = _problem(measured, demand, release)
    if code is not None:
        return refused(_NAME, Finding(code, expected, shown, [index]))
    return passed(_NAME, expected, shown, [index])


def _problem(measured: JudgeCalibrated, demand: Calibration, release: Release) -> str | None:
    same = (measured.answers, measured.answers_sha256) == (demand.answers, demand.sha256)
    if not same or measured.judge != judge_name(release):
        return "other_calibration"
    if measured.labelled < demand.minimum:
        return "calibration_small"
    # The share is taken again, so that a fact that contradicts itself gains nothing.
    if measured.agreed * 1_000_000 < demand.threshold * measured.labelled:
        return "judge_below_threshold"
    return None
