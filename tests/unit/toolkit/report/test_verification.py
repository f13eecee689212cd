"""The commands that a reader pastes."""

import pytest

from aml.toolkit.report.verification import verify_commands


def test_all_jobs_of_a_run_are_exported_and_verified_once() -> None:
    assert verify_commands(["job-1", "job-2", "job-1"]).splitlines() == [
        "aml audit key > log.key",
        "aml audit export --job job-1 --job job-2 --open --out run.zip",
        "aml audit verify run.zip --key log.key",
    ]


@pytest.mark.parametrize("job_id", ["", "; rm -rf ~", "$(id)", "--out", "a b", "x\ny", "a" * 101])
def test_what_a_shell_would_take_apart_is_never_offered_for_pasting(job_id: str) -> None:
    assert verify_commands([job_id]) == ""
    assert verify_commands([job_id, "job-1"]) == verify_commands(["job-1"])
