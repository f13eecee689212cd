"""`aml audit` as a user types it, on bundles alone: lines, exit codes, and nothing written."""

import json
from pathlib import Path

import pytest
from tests.factories.audited_logs import AuditedLog, a_published_log, write_bundle
from typer.main import get_command

from aml.rules.checkpoint import VerifierKey
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


@pytest.fixture(scope="module")
def log() -> AuditedLog:
    return a_published_log()


@pytest.fixture
def key(tmp_path: Path, log: AuditedLog) -> Path:
    file = tmp_path / "key"
    file.write_text(f"{log.key}\n")
    return file


@pytest.fixture
def bundle(tmp_path: Path, log: AuditedLog) -> Path:
    return write_bundle(tmp_path / "bundle.zip", log.bundle("job"))


def test_a_true_bundle_with_its_report(
    bundle: Path, key: Path, tmp_path: Path, log: AuditedLog, capsys: pytest.CaptureFixture[str]
) -> None:
    older, outcome = tmp_path / "older", tmp_path / "report.json"
    older.write_text(log.note(3))
    assert aml("audit", "verify", bundle, "--key", key, "--previous", older, "--json", outcome) == 0
    assert "verified: job bundle, 27 of 27 entries" in capsys.readouterr().out
    report = json.loads(outcome.read_text())
    assert (report["verified"], report["refusals"], report["first_entry"]) == (True, [], None)
    assert [each["name"] for each in report["checks"]][:4] == ["signature", "quorum", "root", "consistency"]


def test_a_changed_bundle(tmp_path: Path, log: AuditedLog, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    members = log.bundle("job")
    members["entries/00000.jsonl"] = members["entries/00000.jsonl"].replace(b'"score":0', b'"score":1', 1)
    changed = write_bundle(tmp_path / "changed.zip", members)
    assert aml("audit", "verify", changed, "--key", key, "--json", tmp_path / "report.json") == 1
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
    tmp_path: Path, key: Path, name: str, data: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    before = sorted(tmp_path.iterdir())
    assert aml("audit", "verify", tmp_path / name, "--key", key) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert sorted(tmp_path.iterdir()) == before


def test_a_wrong_key_file(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong").write_text("no key\n")
    assert aml("audit", "verify", bundle, "--key", tmp_path / "wrong") == 2
    assert "is no verifier key" in capsys.readouterr().err


def test_replay_reads_the_bundles_only_job(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "replay", bundle, "--until", 3) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "requested" in lines[0]


def test_rejudge_asks_for_opened_evidence(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "rejudge", bundle, "--judge", "practice") == 1
    assert "--open" in capsys.readouterr().err


def test_a_judge_that_is_not_there(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "rejudge", bundle, "--judge", "nobody") == 2
    assert "--judge" in capsys.readouterr().err


@pytest.mark.parametrize("scope", [[], ["--board", "--cycle"], ["--job", "job-1", "--cycle"]])
def test_export_wants_one_scope(tmp_path: Path, scope: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "export", *scope, "--home", tmp_path / "none") == 2
    assert "exactly one" in capsys.readouterr().err


def test_export_of_a_home_without_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "export", "--cycle", "--home", tmp_path / "none", "--out", tmp_path / "out.zip") == 1
    assert "holds no log yet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_stack_that_once_ran_shows_its_key(
    tmp_path: Path, log: AuditedLog, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secrets").mkdir()
    rotated_away = VerifierKey(name=log.origin, public_key=bytes(range(32)))
    (tmp_path / "secrets" / "ledger.key.keys").write_text(f"{log.key}\n{rotated_away}\n")
    assert aml("audit", "key", "--home", tmp_path) == 0
    assert capsys.readouterr().out == f"{log.key}\n{rotated_away}\n"
