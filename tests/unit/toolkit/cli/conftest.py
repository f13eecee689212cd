from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.factories.audited_logs import AuditedLog, a_published_log, write_bundle
from tests.unit.toolkit.cli.played_platform import Played


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


@pytest.fixture(scope="session")
def published_log() -> AuditedLog:
    return a_published_log()


@pytest.fixture
def log_key(tmp_path: Path, published_log: AuditedLog) -> Path:
    file = tmp_path / "key"
    file.write_text(f"{published_log.key}\n")
    return file


@pytest.fixture
def job_bundle(tmp_path: Path, published_log: AuditedLog) -> Path:
    return write_bundle(tmp_path / "bundle.zip", published_log.bundle("job"))
