"""A server that plays the platform for client commands."""

import json
from http.server import BaseHTTPRequestHandler

import msgspec

from aml.gateway.jobs.views import Job


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
