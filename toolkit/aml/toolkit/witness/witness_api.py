"""`POST /add-checkpoint` of https://c2sp.org/tlog-witness, and the witness's key for whoever wants to trust it."""

import asyncio
from collections.abc import Iterable

import structlog
from aiohttp import web

from aml.ledger.witnesses import SIZE_TYPE
from aml.rules.checkpoint import NoteInvalid, VerifierKey, parse_note, parse_verifier_key
from aml.runtime.clock import Clock

from .errors import CheckpointRefused, WitnessError, WitnessUnusable
from .judge_checkpoint import AddCheckpoint, LogKeys, read_request, require_growth, require_known_log
from .witness_key import Cosigner
from .witness_memory import WitnessMemory

log = structlog.get_logger()


class WitnessApi:
    def __init__(self, cosigner: Cosigner, logs: LogKeys, memory: WitnessMemory, clock: Clock) -> None:
        self._cosigner = cosigner
        self._logs = logs
        self._memory = memory
        self._clock = clock

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/add-checkpoint", self.add_checkpoint), web.get("/verifier", self.verifier)]

    async def add_checkpoint(self, request: web.Request) -> web.StreamResponse:
        try:
            line = await asyncio.to_thread(self.cosigned, await request.read())  # it fsyncs
        except CheckpointRefused as error:
            log.warning("checkpoint.refused", status=error.status, problem=error.problem)
            if error.known_size is not None:
                return web.Response(status=error.status, text=f"{error.known_size}\n", content_type=SIZE_TYPE)
            return web.Response(status=error.status, text=f"{error.problem}\n")
        except (WitnessError, OSError) as error:
            log.exception("witness.memory_unusable")
            return web.Response(status=500, text=f"the witness cannot remember: {type(error).__name__}\n")
        return web.Response(text=f"{line}\n", content_type="text/plain", charset="utf-8")

    async def verifier(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=f"{self._cosigner.key}\n", content_type="text/plain", charset="utf-8")

    def cosigned(self, body: bytes) -> str:
        """The signature line. What it vouches for is durable before it is made. Raises `CheckpointRefused`."""
        request: AddCheckpoint = read_request(body)
        require_known_log(request, self._logs)
        self._memory.advance(request.seen, lambda before: require_growth(request, before))
        log.info("checkpoint.cosigned", origin=request.checkpoint.origin, size=request.checkpoint.size)
        return self._cosigner.cosign(parse_note(request.note).text, time_s=self._clock.now_ms() // 1000)


def log_keys(lines: Iterable[str]) -> LogKeys:
    """By origin, from verifier key lines; empty lines and comments are passed over. Raises `WitnessUnusable`."""
    found: dict[str, list[VerifierKey]] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            key = parse_verifier_key(text)
        except NoteInvalid as error:
            raise WitnessUnusable(f"line {number} of the logs to watch: {error.problem}") from None
        found.setdefault(key.name, []).append(key)
    if not found:
        raise WitnessUnusable("there is no log to watch: give a file with verifier keys")
    return found
