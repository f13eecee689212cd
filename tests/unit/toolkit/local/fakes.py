"""Small programs that behave, or misbehave, as a service does."""

import sys
from pathlib import Path

from aml.toolkit.local.process_plan import HttpReady, Prepare, ProcessPlan

SERVES = """
import http.server, signal, sys
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer.allow_reuse_address = True
server = http.server.HTTPServer(("127.0.0.1", {port}), Ready)
def leave(*_):
    print("leaving", flush=True); sys.exit(0)
signal.signal(signal.SIGTERM, {on_term})
print("serving", flush=True)
server.serve_forever()
"""


def a_service(
    home: Path,
    name: str,
    port: int,
    *,
    script: str | None = None,
    on_term: str = "leave",
    ready_port: int | None = None,
) -> Prepare:
    command = (sys.executable, "-S", "-c", script or SERVES.format(port=port, on_term=on_term))
    plan = ProcessPlan(
        name=name,
        command=command,
        environment={},
        log_file=home / "logs" / f"{name}.log",
        port=port,
        readiness=HttpReady(port=ready_port or port),
    )
    return lambda: plan
