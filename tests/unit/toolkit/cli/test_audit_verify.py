"""`aml audit verify` as a user types it: lines, exit codes, and nothing written."""

import json
from pathlib import Path

import pytest
from tests.factories.audited_logs import AuditedLog, write_bundle
from typer.main import get_command

from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


def test_a_true_bundle_with_its_report(
    job_bundle: Path, log_key: Path, tmp_path: Path, published_log: AuditedLog, capsys: pytest.CaptureFixture[str]
) -> None:
    older, outcome = tmp_path / "older", tmp_path / "report.json"
    older.write_text(published_log.note(3))
    assert aml("audit", "verify", job_bundle, "--key", log_key, "--previous", older, "--json", outcome) == 0
    assert "verified: job bundle, 27 of 27 entries" in capsys.readouterr().out
    report = json.loads(outcome.read_text())
    assert (report["verified"], report["refusals"], report["first_entry"]) == (True, [], None)
    assert [each["name"] for each in report["checks"]][:4] == ["signature", "quorum", "root", "consistency"]


def test_a_changed_bundle(
    tmp_path: Path, published_log: AuditedLog, log_key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members = published_log.bundle("job")
    members["entries/00000.jsonl"] = members["entries/00000.jsonl"].replace(b'"score":0', b'"score":1', 1)
    changed = write_bundle(tmp_path / "changed.zip", members)
    assert aml("audit", "verify", changed, "--key", log_key, "--json", tmp_path / "report.json") == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["refusals"][0]["code"] == "leaf_differs"
    assert f"first entry that is wrong: {report['first_entry']}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("absent.zip", None),
        ("text.zip", b"hello"),
        ("empty.zip", b""),
        ("cut.zip", b"PK\x03\x04 and no more"),
    ],
)
def test_what_is_no_bundle(
    tmp_path: Path, log_key: Path, name: str, data: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    before = sorted(tmp_path.iterdir())
    assert aml("audit", "verify", tmp_path / name, "--key", log_key) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert sorted(tmp_path.iterdir()) == before


def test_a_wrong_key_file(job_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong").write_text("no key\n")
    assert aml("audit", "verify", job_bundle, "--key", tmp_path / "wrong") == 2
    assert "is no verifier key" in capsys.readouterr().err
