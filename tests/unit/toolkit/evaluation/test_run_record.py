import os
from pathlib import Path

import pytest

from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.example_participant import ExampleParticipant
from aml.toolkit.evaluation.run_record import RunRecord, SystemShown, keep_record, load_record
from aml.toolkit.local.home import Layout
from aml.toolkit.local.state import Identity

SYSTEM = SystemShown(label="example:fts5", add_url="a", search_url="s", health_url="h", auth="none")


def a_record(job_id: str = "job-1") -> RunRecord:
    example = ExampleParticipant(
        name="fts5",
        base_url="http://127.0.0.1:9001",
        port=9001,
        log_file=Path("/home/logs/example.log"),
        data=Path("/home/runs/fts5.data"),
        identity=Identity(pid=os.getpid(), started=1.0),
    )
    return RunRecord(job_id=job_id, system=SYSTEM, example=example)


def test_a_record_is_read_back_as_it_was(tmp_path: Path) -> None:
    keep_record(Layout(tmp_path), a_record())

    assert load_record(Layout(tmp_path), "job-1") == a_record()
    assert (tmp_path / "runs" / "job-1.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("job_id", ["job-2", "", "../secrets/operator", "a" * 200])
def test_an_unknown_run_is_told_which_there_are(tmp_path: Path, job_id: str) -> None:
    keep_record(Layout(tmp_path), a_record("job-77"))

    with pytest.raises(WrongUsage, match=r"--resume: no run .* the newest are job-77"):
        load_record(Layout(tmp_path), job_id)


def test_a_damaged_record_is_an_unknown_run(tmp_path: Path) -> None:
    keep_record(Layout(tmp_path), a_record())
    (tmp_path / "runs" / "job-1.json").write_text('{"job_id": 3}')

    with pytest.raises(WrongUsage, match="no run 'job-1'"):
        load_record(Layout(tmp_path), "job-1")


def test_a_home_without_runs_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="start one with --system"):
        load_record(Layout(tmp_path), "job-1")
