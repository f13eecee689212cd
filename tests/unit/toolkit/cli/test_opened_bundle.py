"""A bundle is open while it is read, and what is wrong with it is told as bad usage."""

from pathlib import Path

import pytest
from tests.factories.audited_logs import AuditedLog, write_bundle

from aml.toolkit.audit.opened_job import read_job
from aml.toolkit.cli.boundary import CommandFailed, ExitCode
from aml.toolkit.cli.opened_bundle import OpenedBundle


def test_its_files_are_there_while_it_is_open(job_bundle: Path) -> None:
    with OpenedBundle(job_bundle) as opened:
        job = read_job(opened.files, None)

    assert job.entries


@pytest.mark.parametrize("data", [None, b"hello", b"PK\x03\x04 and no more"], ids=["absent", "text", "cut"])
def test_what_is_no_bundle_is_bad_usage_that_names_the_file(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "some.zip"
    if data is not None:
        path.write_bytes(data)

    with pytest.raises(CommandFailed, match=r"some\.zip: ") as failed, OpenedBundle(path):
        pass

    assert failed.value.code == ExitCode.BAD_USAGE


def test_what_is_found_wrong_while_reading_is_bad_usage_too(tmp_path: Path, published_log: AuditedLog) -> None:
    members = published_log.bundle("job")
    members["bundle.json"] = b"{}"
    path = write_bundle(tmp_path / "some.zip", members)

    with pytest.raises(CommandFailed, match=r"some\.zip: ") as failed, OpenedBundle(path) as opened:
        read_job(opened.files, None)

    assert failed.value.code == ExitCode.BAD_USAGE
