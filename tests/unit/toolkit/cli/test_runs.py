"""`aml watch` and `aml full` as a user types them, against a server that plays the platform."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import msgspec
import pytest
from tests.factories.platform_views import a_failure, a_job
from typer.main import get_command

from aml.gateway.jobs.views import Job
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


class Played(BaseHTTPRequestHandler):
    """One stream of events, and a refusal for everything else."""

    jobs: tuple[Job, ...] = ()
    ordered: tuple[bytes, ...] = ()

    def do_GET(self) -> None:
        body = b"".join(b"id: %d\ndata: %b\n\n" % (at, msgspec.json.encode(job)) for at, job in enumerate(self.jobs))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).ordered = (*self.ordered, sent)
        body = json.dumps({"detail": {"reason": "quota_exceeded", "message": "2 of 2 full runs are used"}}).encode()
        self.send_response(429)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Played]]:
    fresh = type("Fresh", (Played,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), fresh)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("AML_PLATFORM", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("AML_KEY", "aml_p_1")
    yield fresh
    server.shutdown()
    thread.join()
    server.server_close()


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


def test_a_full_run_is_ordered_with_every_item_ticked_and_no_run_left_is_incomplete(
    played: type[Played], capsys: pytest.CaptureFixture[str]
) -> None:
    items = ("smoke-passed", "contract-followed", "run-instructions-complete", "originality-disclosed")
    assert aml("full", "--version", "ver-1", *(f"--{item}" for item in items)) == 2
    assert played.ordered == ()
    assert capsys.readouterr().err == "aml: checklist: confirm with --no-integrity-violations\n"

    assert aml("full", "--version", "ver-1", "--no-integrity-violations", *(f"--{item}" for item in items)) == 4

    (sent,) = played.ordered
    assert all(json.loads(sent)["checklist"].values())
    assert capsys.readouterr().err == "aml: the platform refused (quota_exceeded): 2 of 2 full runs are used\n"
