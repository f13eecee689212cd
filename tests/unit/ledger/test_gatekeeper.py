from typing import Any

from tests.factories.events import RELEASE_ID, a_digest, an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked, sealed

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.events import Event, encode_event
from aml.contracts.release import Release, ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused
from aml.ledger.gatekeeper import bundle_of, decision_event
from aml.rules.entry import entry_bytes, read_entry
from aml.rules.gate import GateBundle, evaluate_gate
from aml.rules.identity import event_id


def a_body(event: Event, index: int, job_seq: int | None = None) -> bytes:
    prev = "0" * 64 if job_seq else None
    return entry_bytes(event=encode_event(event), event_id=event_id(event), index=index, job_seq=job_seq, prev=prev)


def known(release_id: str) -> tuple[Release, str] | None:
    return (a_release(), a_digest("release")) if release_id == RELEASE_ID else None


def a_bundle(**changes: Any) -> GateBundle:
    fields: dict[str, Any] = {
        "entries": tuple(sealed(a_job(), start=1)),
        "locks": [read_entry(a_body(a_release_locked(), 0))],
        "passes": [],
        "history": (),
        "release_of": known,
    }
    return bundle_of(**(fields | changes))


def test_a_complete_job_under_a_known_release_passes() -> None:
    event = decision_event(evaluate_gate(a_bundle()), "job-1", 5)
    assert isinstance(event, GatePassed)
    assert (event.job_id, event.at) == ("job-1", 5)


def test_a_release_folder_that_was_changed_since_is_another_release() -> None:
    bundle = a_bundle(release_of=lambda _: (a_release(), a_digest("changed")))
    assert bundle.release is None
    assert isinstance(decision_event(evaluate_gate(bundle), "job-1", 5), GateRefused)


def test_locks_of_other_releases_are_left_out() -> None:
    other = an_event(ReleaseLocked, release_id="other")
    bundle = a_bundle(locks=[read_entry(a_body(a_release_locked(), 0)), read_entry(a_body(other, 90))])
    assert [index for index, _ in bundle.locks] == [0]


def test_earlier_passes_are_handed_to_the_gate() -> None:
    earlier = an_event(GatePassed, job_id="job-0", subject=evaluate_gate(a_bundle()).subject)
    bundle = a_bundle(passes=[read_entry(a_body(earlier, 80, 4))])
    assert [each.job_id for each in bundle.earlier] == ["job-0"]
    assert not evaluate_gate(bundle).passed


def test_calibrations_of_the_job_s_release_are_handed_to_the_gate() -> None:
    mine, other = an_event(JudgeCalibrated), an_event(JudgeCalibrated, release_id="other")
    bundle = a_bundle(
        locks=[
            read_entry(a_body(a_release_locked(), 0)),
            read_entry(a_body(mine, 90)),
            read_entry(a_body(other, 91)),
        ]
    )
    assert bundle.calibrations == ((90, mine),)
    assert [index for index, _ in bundle.locks] == [0]


def test_a_pass_carries_its_sketch_and_later_gates_see_it() -> None:
    decision = evaluate_gate(a_bundle())
    event = decision_event(decision, "job-1", 5)
    assert isinstance(event, GatePassed)
    assert event.sketch is not None
    assert event.sketch == decision.sketch
    (earlier,) = a_bundle(passes=[read_entry(a_body(event, 80, 4))]).earlier
    assert earlier.sketch == event.sketch
