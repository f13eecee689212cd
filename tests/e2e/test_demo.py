"""`aml demo`: one command from nothing to a published board, with everything that it promises in its JSON."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.running_stack import FULL, SMOKE

pytestmark = [pytest.mark.stack, pytest.mark.timeout(300)]

AML = (sys.executable, "-c", "from aml.toolkit.cli.app import main; main()", "demo")
CONTENDERS = {"SQLite FTS5", "bm25s"}
ARMS = {"No memory": "no_memory", "Full context": "full_context", "Oracle evidence": "oracle"}
SECONDS = 90


class Performed:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ran = subprocess.run(
            [*AML, "--json", "demo.json"], cwd=folder, capture_output=True, text=True, timeout=240, check=False
        )

    @property
    def outcome(self) -> Any:
        return json.loads((self.folder / "demo.json").read_text())


@pytest.fixture(scope="module")
def performed(tmp_path_factory: pytest.TempPathFactory) -> Performed:
    performed = Performed(tmp_path_factory.mktemp("demo"))
    assert performed.ran.returncode == 0, performed.ran.stderr + performed.ran.stdout
    return performed


def test_the_outcome_is_complete(performed: Performed) -> None:
    outcome = performed.outcome

    assert outcome["complete"], outcome["problems"]
    assert set(outcome["systems"]) == CONTENDERS | set(ARMS)
    assert outcome["seconds"] < SECONDS
    assert all(each["passed"] for each in outcome["verified"])
    assert outcome["checkpoint"]["verified"]


@pytest.mark.parametrize("name", sorted(CONTENDERS | set(ARMS)))
def test_each_system_has_its_jobs_counts_scores_and_checks(performed: Performed, name: str) -> None:
    system = performed.outcome["systems"][name]

    practice = system["datasets"]["practice"]
    assert practice["planned"] == practice["scored"] == FULL.questions
    assert practice["scored"] == practice["correct"] + practice["incorrect"]
    assert practice["unscored"] == 0
    assert system["overall"]["interval"][0] <= system["overall"]["score"] <= system["overall"]["interval"][1]
    assert system["gate"]["decision"] == "passed"
    assert all(check["passed"] for check in system["gate"]["checks"])
    assert system["review"] == "approve"
    assert system["board"]["log_index"] > 0
    if name in ARMS:
        assert (system["arm"], system["division"]) == (ARMS[name], "baseline")
        assert (system["jobs"]["smoke"], system["latency_ms"]["search"]["calls"]) == (None, 0)
    else:
        assert system["access_id"]
        assert system["smoke"]["datasets"]["practice-smoke"]["scored"] == SMOKE.questions
        assert system["latency_ms"]["search"]["p50"] <= system["latency_ms"]["search"]["p95"]


def test_memories_matter(performed: Performed) -> None:
    scores = {name: system["overall"]["score"] for name, system in performed.outcome["systems"].items()}

    assert scores["No memory"] < min(scores[name] for name in CONTENDERS)
    assert scores["Oracle evidence"] == max(scores.values())


def test_the_board_lies_where_it_is_said_to_and_proves_itself(performed: Performed) -> None:
    board = performed.outcome["board"]
    folder = performed.folder / board["path"]

    assert board["rows"] == len(CONTENDERS) + len(ARMS)
    for name in ("index", "json", "csv"):
        assert (performed.folder / board[name]).stat().st_size > 0
    [command] = [line.strip() for line in performed.ran.stdout.splitlines() if "check_proof.py" in line]
    checked = subprocess.run(
        command.partition("#")[0].replace("python3", sys.executable).split(),
        cwd=performed.folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
    shown = {row["job_id"]: row["overall"] / 10_000 for row in json.loads((folder / "board.json").read_text())["rows"]}
    said = {system["jobs"]["full"]: system["overall"]["score"] for system in performed.outcome["systems"].values()}
    assert shown == said


def test_nothing_is_left_behind(performed: Performed) -> None:
    assert performed.outcome["stack"] == {"home": performed.outcome["stack"]["home"], "portal": None, "kept": False}
    assert not Path(performed.outcome["stack"]["home"]).exists()


def test_people_read_the_board_too(performed: Performed) -> None:
    said = performed.ran.stdout

    for part in (
        "Board version",
        "Overall (95 % interval)",
        "SQLite FTS5 1",
        "ok   inclusion proofs",
        "complete: 5 systems",
    ):
        assert part in said
