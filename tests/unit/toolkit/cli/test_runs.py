"""`aml watch` as a user types it, against a server that plays the platform."""

import json

import pytest
from tests.factories.platform_views import a_failure, a_job
from tests.unit.toolkit.cli.played_platform import Played
from typer.main import get_command

from aml.gateway.jobs.views import Job
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*words: str) -> int:
    command = get_command(app)
    return run_command(lambda given: command(given, prog_name="aml", standalone_mode=False), words)


@pytest.mark.parametrize(
    ("last", "code", "said"),
    [
        (a_job(mode="smoke", done=120), 0, "the smoke run is complete: all of 120 questions scored"),
        (a_job(mode="full", gate="refused", done=120), 3, "the gate refused the run"),
        (a_job(mode="smoke", state="failed", failure=a_failure()), 4, "Search: id is an empty string"),
    ],
    ids=["complete", "refused", "failed"],
)
def test_a_watched_run_ends_with_a_sentence_and_its_code(
    played: type[Played], capsys: pytest.CaptureFixture[str], last: Job, code: int, said: str
) -> None:
    played.jobs = (a_job(stage="queued", queue_place=3, state="queued"), a_job(stage="retrieval", done=40), last)

    assert aml("watch", "job-1") == code

    out = capsys.readouterr().out
    assert "place 3 in the queue" in out
    assert "retrieval 40/120" in out
    assert said in out


def test_json_is_a_line_at_every_change(played: type[Played], capsys: pytest.CaptureFixture[str]) -> None:
    played.jobs = (a_job(stage="ingest"), a_job(mode="smoke"))

    assert aml("watch", "job-1", "--json") == 0

    assert [json.loads(line)["stage"] for line in capsys.readouterr().out.splitlines()] == ["ingest", "ended"]
