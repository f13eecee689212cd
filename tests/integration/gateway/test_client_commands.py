"""The `aml` client commands against a real gateway: each person's way, with exit codes and what is shown once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from tests.integration.gateway.callers import SECRET
from tests.integration.gateway.gateway_process import Running

from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app
from aml.toolkit.client.templates import APPLICATION, PROPOSAL

Aml = Callable[..., tuple[int, str, str]]

APPLY = {
    "contact": "Ada", "organisation": "Ada's lab", "public_display_consent": "true",
    "endpoints.add_url": "http://127.0.0.1:9/add", "endpoints.search_url": "http://127.0.0.1:9/search",
    "endpoints.health_url": "http://127.0.0.1:9/health", "description": "A memory.", "run_instructions": "None.",
    "disclosure.repository": "https://example.org/repo", "disclosure.original_works": "none",
    "disclosure.commit": "0123456789abcdef0123456789abcdef01234567", "disclosure.method_changes": "none",
}  # fmt: skip
OFFER = {
    "contact": "Cem", "email": "cem@example.org", "organisation": "Archive", "title": "Letters", "scale": "ten",
    "measures": "long silence", "license": "CC-BY-4.0",
}  # fmt: skip


def settings(fields: dict[str, str]) -> list[str]:
    return [word for name, value in fields.items() for word in ("--set", f"{name}={value}")]


@pytest.fixture
def aml(gateway: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Aml:
    """Runs a command in this process, as a user whose keys would be kept in a folder of this test."""
    monkeypatch.setenv("AML_PLATFORM", gateway.url)
    monkeypatch.setenv("AML_CONFIG", str(tmp_path / "config"))
    monkeypatch.delenv("AML_KEY", raising=False)
    (tmp_path / "operator.key").write_text(gateway.operator_key)
    command = typer.main.get_command(app)

    def run(*words: str, as_operator: bool = False) -> tuple[int, str, str]:
        given = [*words, *(["--key-file", str(tmp_path / "operator.key")] if as_operator else [])]
        code = run_command(lambda arguments: command(arguments, prog_name="aml", standalone_mode=False), given)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def applied(aml: Aml, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a request that waits, its claim token kept."""
    monkeypatch.setenv("AML_MEMORY_SYSTEM_KEY", SECRET)
    file = tmp_path / "application.toml"
    file.write_text(APPLICATION)
    named = {"system": f"system {tmp_path.name}", "version": "1"}
    code, out, _ = aml("apply", str(file), "--save", "--json", *settings(APPLY | named))
    assert code == 3, "nobody listens on port 9"
    assert SECRET not in out
    return str(json.loads(out)["access_id"])


@pytest.fixture
def admitted(aml: Aml, applied: str) -> str:
    assert aml("access", "approve", applied, "--override-reason", "nobody listens", as_operator=True)[0] == 0
    code, out, _ = aml("claim", applied, "--save")
    assert code == 0
    assert "aml_p_" not in out
    return applied


def test_an_application_waits_and_becomes_a_key_that_only_its_owner_can_read(
    aml: Aml, applied: str, tmp_path: Path
) -> None:
    assert aml("claim", applied)[0] == 4
    assert applied in aml("access", "list", as_operator=True)[1]

    assert aml("access", "approve", applied, as_operator=True)[0] == 2  # the check did not pass
    assert aml("access", "approve", applied, "--override-reason", "fine", as_operator=True)[0] == 0
    assert aml("claim", applied, "--save")[0] == 0

    kept = [path for path in (tmp_path / "config").rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    assert json.loads(aml("key", "show", "--json")[1])["role"] == "participant"


def test_a_declined_application_says_why(aml: Aml, applied: str) -> None:
    assert aml("access", "decline", applied, "--reason", "the repository is closed", as_operator=True)[0] == 0

    code, out, _ = aml("claim", applied)

    assert code == 3
    assert "the repository is closed" in out


def test_a_run_is_ordered_once_listed_and_cancelled(aml: Aml, admitted: str) -> None:
    code, out, _ = aml("smoke", "--detach", "--label", "first", "--json")
    job_id = json.loads(out)["job_id"]
    assert code == 0

    code, _, err = aml("smoke", "--detach")
    assert code == 2
    assert job_id in err
    assert err.count("\n") == 1

    assert job_id in aml("jobs")[1]
    assert aml("results", job_id)[0] == 4
    assert aml("results", job_id, "--failures")[0] == 0
    assert "a job is active" in aml("quotas")[1]
    assert aml("cancel", job_id)[0] == 0
    assert aml("resume", "job-0")[0] == 2


def test_a_full_run_needs_its_checklist_and_a_smoke(aml: Aml, admitted: str) -> None:
    code, _, err = aml("full", "--contract-followed")
    assert code == 2
    assert "--smoke-passed" in err
    assert "--contract-followed" not in err

    ticks = (
        "smoke-passed",
        "contract-followed",
        "run-instructions-complete",
        "originality-disclosed",
        "no-integrity-violations",
    )
    code, _, err = aml("full", "--detach", *(f"--{tick}" for tick in ticks))
    assert code == 2
    assert "smoke_missing" in err


def test_a_version_is_listed_changed_given_another_key_and_withdrawn(aml: Aml, admitted: str) -> None:
    found = json.loads(aml("versions", "--json")[1])["versions"]
    version_id = found[0]["version_id"]
    assert version_id in aml("versions")[1]

    code, out, _ = aml("versions", "change", version_id, "--set", "capacity.max_add_concurrency=2", "--json")
    assert (code, json.loads(out)["max_add_concurrency"]) == (0, 2)
    code, out, _ = aml("memory-key", "replace", version_id, "--auth", "token")
    assert code == 0
    assert SECRET not in out
    assert aml("versions", "withdraw", version_id, "--reason", "old")[0] == 2  # there is nobody to ask
    assert aml("versions", "withdraw", version_id, "--reason", "old", "--yes")[0] == 0
    assert aml("smoke", "--detach")[0] == 2


def test_a_rotated_key_replaces_the_kept_one_and_a_revoked_one_is_over(aml: Aml, admitted: str, tmp_path: Path) -> None:
    (kept,) = (tmp_path / "config").rglob("key")
    before = kept.read_text()

    assert aml("key", "rotate", "--save", "--yes")[0] == 0
    assert kept.read_text() != before
    assert aml("key", "revoke", "--reason", "done", "--yes")[0] == 0

    code, _, err = aml("jobs")
    assert code == 2
    assert "key_revoked" in err


def test_a_donor_offers_and_a_reviewer_takes_and_decides(aml: Aml, tmp_path: Path) -> None:
    file, data, copy = tmp_path / "offer.toml", tmp_path / "letters.jsonl", tmp_path / "copy.jsonl"
    file.write_text(PROPOSAL.replace("provenance = []", 'provenance = ["https://example.org/letters"]'))
    data.write_text('{"question": "who"}\n')
    code, _, err = aml("propose-benchmark", str(file), "--set", "sample=x", *settings(OFFER), "--save", "--json")
    assert code == 0, err
    proposal_id = next(path.stem for path in (tmp_path / "config").rglob("prop*.token"))

    assert aml("propose-benchmark", "--proposal", proposal_id, "--package", str(data))[0] == 0
    assert "Letters" in aml("proposals", "show", proposal_id)[1]
    assert proposal_id in aml("proposals", "list", as_operator=True)[1]
    assert aml("proposals", "package", proposal_id, "--out", str(copy), as_operator=True)[0] == 0
    assert copy.read_bytes() == data.read_bytes()
    decided = aml("proposals", "decide", proposal_id, "accept", "--reason", "good", "--yes", as_operator=True)
    assert decided[0] == 0
    assert "accepted" in decided[1]


def test_an_operator_sees_the_platform_and_makes_and_ends_keys(aml: Aml) -> None:
    assert aml("operate", "overview", as_operator=True)[0] in (0, 4)
    assert aml("operate", "parked", as_operator=True)[0] == 0
    code, out, _ = aml("operate", "make-key", "reviewer", "--label", "Bea", "--days", "30", "--json", as_operator=True)
    key_id = json.loads(out)["key_id"]
    assert code == 0
    assert aml("operate", "link-reviewer", key_id, "--organisation", "Elsewhere", as_operator=True)[0] == 0
    assert key_id in aml("operate", "keys", "--role", "reviewer", "--limit", "500", "--json", as_operator=True)[1]
    assert aml("operate", "revoke-key", key_id, "--reason", "left", "--yes", as_operator=True)[0] == 0
    assert aml("review", "list", as_operator=True)[0] == 0
    assert aml("deletions", "--state", "overdue", as_operator=True)[0] == 0
    assert aml("review", "decide", "job-0", "approve", "--reason", "x", "--yes", as_operator=True)[0] == 2
