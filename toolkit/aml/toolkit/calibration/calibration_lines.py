"""What a measurement of a judge says: the table by kind, where it disagreed, and what the release asks for."""

from collections.abc import Iterator

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.release import Calibration
from aml.judge.calibration.measure import Measured

_TEXT_CHARS = 70


def calibration_lines(fact: JudgeCalibrated, measured: Measured, demand: Calibration, *, every: bool) -> Iterator[str]:
    """`every`: also each answer on which judge and label differ."""
    yield f"{fact.judge} under {fact.release_id} on {fact.answers} ({fact.answers_sha256[:12]})"
    yield ""
    yield f"{'kind':<14} {'agreed':>6} {'of':>4}"
    for row in fact.kinds:
        yield f"{row.kind:<14} {row.agreed:>6} {row.labelled:>4}  {'#' * (20 * row.agreed // max(1, row.labelled))}"
    yield f"{'all':<14} {fact.agreed:>6} {fact.labelled:>4}"
    yield ""
    if every:
        yield from _disagreements(measured)
    yield (
        f"agreement {_share(fact.agreement)}, Cohen's kappa {_share(fact.kappa)}, "
        f"{fact.unread} without a readable verdict"
    )
    word = "reached" if reached(fact, demand) else "not reached"
    yield f"the release asks for {_share(demand.threshold)} over at least {demand.minimum} answers: {word}"


def reached(fact: JudgeCalibrated, demand: Calibration) -> bool:
    """As the gate will say of this measurement."""
    return fact.labelled >= demand.minimum and fact.agreed * 1_000_000 >= demand.threshold * fact.labelled


def _disagreements(measured: Measured) -> Iterator[str]:
    cases = {case.case_id: case for case in measured.answers.cases}
    said = {True: "correct", False: "incorrect", None: "nothing readable"}
    for judged, reason in zip(measured.judged, measured.reasons, strict=True):
        if judged.agreed:
            continue
        case = cases[judged.case_id]
        yield f"{case.case_id}: {_cut(case.question)}"
        yield f"    reference {_cut(' | '.join(case.references))}"
        yield f"    answer    {_cut(case.answer)}"
        yield f"    label {said[case.correct]}, judge {said[judged.verdict]}: {_cut(reason)}"
    yield ""


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_CHARS else f"{line[: _TEXT_CHARS - 1]}…"


def _share(millionths: int) -> str:
    return f"{millionths / 1_000_000:.3f}"
