import pytest

from aml.judge.model_calls.attempt_policy import (
    CAP_MS,
    MAX_RETRY_AFTER_MS,
    Fault,
    FaultKind,
    NextStep,
    decide_next,
    fault_of_status,
    retry_after_ms,
)
from aml.judge.model_calls.key_ring import COOL_DOWN_MS


def decided(kind: FaultKind, *, attempt: int = 1, other_keys: int = 0, retry_after: int | None = None) -> NextStep:
    fault = Fault(kind=kind, detail="x", retry_after_ms=retry_after)
    return decide_next(fault, attempt=attempt, attempts=4, other_keys=other_keys, jitter=0.5)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (429, "busy"),
        (500, "server"),
        (503, "server"),
        (408, "server"),
        (401, "key"),
        (403, "key"),
        (400, "refused"),
        (404, "refused"),
        (302, "refused"),
    ],
)
def test_statuses_by_kind(status: int, kind: str) -> None:
    assert fault_of_status(status, "x", None).kind == kind


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("2", 2000),
        ("0.5", 500),
        ("-3", 0),
        ("99999", MAX_RETRY_AFTER_MS),
        ("inf", MAX_RETRY_AFTER_MS),
        ("nan", None),
        ("soon", None),
        (None, None),
    ],
)
def test_retry_after_is_clamped_and_nonsense_counts_as_absent(header: str | None, expected: int | None) -> None:
    assert retry_after_ms(header) == expected


def test_a_busy_key_rests_for_what_was_asked_or_thirty_seconds() -> None:
    assert decided("busy").key_rest_ms == COOL_DOWN_MS
    assert decided("busy", retry_after=2000).key_rest_ms == 2000


def test_waits_double_with_full_jitter_up_to_a_cap() -> None:
    assert [decided("server", attempt=n).wait_ms for n in (1, 2, 3)] == [250, 500, 1000]
    late = decide_next(Fault(kind="transport", detail="x"), attempt=30, attempts=99, other_keys=0, jitter=0.999)
    assert late.wait_ms <= CAP_MS


def test_a_refused_key_is_retired_if_another_is_there_and_ends_the_call_if_not() -> None:
    assert decided("key", other_keys=1) == NextStep(again=True, retire_key=True)
    assert not decided("key").again


@pytest.mark.parametrize("kind", ["transport", "busy", "server", "unusable", "key"])
def test_attempts_are_bounded(kind: FaultKind) -> None:
    assert not decided(kind, attempt=4, other_keys=3).again


def test_a_refused_request_is_not_repeated() -> None:
    assert not decided("refused", other_keys=3).again
