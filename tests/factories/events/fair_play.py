"""What is looked for in what a memory system returns."""

from tests.factories.events.places import AT, JOB, QUESTION, SAMPLE, a_ref

from aml.contracts.events import Event
from aml.contracts.fair_play import CanaryPlanned, FlagCount, IsolationProbed, SearchFlagged

FAIR_PLAY: tuple[Event, ...] = (
    SearchFlagged(
        at=AT,
        job_id=JOB,
        unit=QUESTION,
        sample=SAMPLE,
        index=1,
        dataset="practice",
        returned=20,
        flags=(FlagCount(kind="foreign", items=2), FlagCount(kind="instruction", items=1)),
        items=a_ref("flagged items", 1_024),
    ),
    CanaryPlanned(at=AT, job_id=JOB, unit=f"{SAMPLE}-canary", sample=SAMPLE, canary=a_ref("canary", 512)),
    IsolationProbed(
        at=AT,
        job_id=JOB,
        unit=f"{SAMPLE}-canary",
        sample=SAMPLE,
        outcome="leaked",
        returned=3,
        calls=2,
        memories=a_ref("leaked memories", 256),
    ),
)
