"""What is locked and calibrated before any job."""

from tests.factories.events.places import AT, RELEASE_ID, a_digest

from aml.contracts.calibration import JudgeCalibrated, KindAgreement
from aml.contracts.events import Event
from aml.contracts.release import ReleaseLocked

RELEASES: tuple[Event, ...] = (
    ReleaseLocked(
        at=AT,
        release_id=RELEASE_ID,
        release_digest=a_digest("release"),
        pipeline_digest=a_digest("pipeline"),
        questions=120,
    ),
    JudgeCalibrated(
        at=AT,
        release_id=RELEASE_ID,
        release_digest=a_digest("release"),
        pipeline_digest=a_digest("pipeline"),
        judge="rules",
        answers="answers-1",
        answers_sha256=a_digest("answers"),
        labelled=100,
        agreed=90,
        unread=1,
        agreement=900_000,
        kappa=800_000,
        kinds=(
            KindAgreement(kind="date", labelled=40, agreed=32),
            KindAgreement(kind="number", labelled=60, agreed=58),
        ),
        disagreed=("date-en-3", "number-zh-1"),
        details=a_digest("verdicts"),
    ),
)
