"""Asks the policy's witnesses to cosign a checkpoint: the client's side of https://c2sp.org/tlog-witness."""

import asyncio
import base64
from collections.abc import Awaitable, Callable

import aiohttp
import structlog

from aml.rules.checkpoint import NoteInvalid, parse_checkpoint, parse_note
from aml.rules.cosignature import CosignatureInvalid, cosigned_at, is_of
from aml.rules.witness_policy import Witness, WitnessPolicy

log = structlog.get_logger()

Prove = Callable[[int, int], Awaitable[tuple[bytes, ...]]]
"""`(old, new)` sizes to the consistency proof between them."""

SIZE_TYPE = "text/x.tlog.size"
_TIMEOUT = aiohttp.ClientTimeout(total=10.0, connect=3.0)
_MAX_ANSWER_BYTES = 64 * 1024
_DASH = "\u2014 "


class WitnessRefused(Exception):
    """A witness did not cosign."""

    def __init__(self, witness: str, problem: str) -> None:
        super().__init__(f"witness {witness} {problem}")
        self.witness = witness
        self.problem = problem


class Witnesses:
    """Use as an async context manager. It remembers how far each witness has followed the log, which is only a guess."""

    def __init__(self, policy: WitnessPolicy) -> None:
        self.policy = policy
        self._sizes: dict[str, int] = {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Witnesses":
        self._session = aiohttp.ClientSession(timeout=_TIMEOUT)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def cosign(self, note: str, prove: Prove) -> tuple[str, tuple[str, ...]]:
        """The note with the lines of all witnesses that cosigned, and why the others did not."""
        asked = [each for each in self.policy.witnesses if each.url is not None]
        answers = await asyncio.gather(*(self._cosigned_by(each, note, prove) for each in asked))
        lines = [answer for answer in answers if not isinstance(answer, WitnessRefused)]
        refused = tuple(str(answer) for answer in answers if isinstance(answer, WitnessRefused))
        return note + "".join(f"{line}\n" for line in lines), refused

    async def _cosigned_by(self, witness: Witness, note: str, prove: Prove) -> str | WitnessRefused:
        try:
            return await self._ask(witness, note, prove)
        except WitnessRefused as error:
            return error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            return WitnessRefused(witness.name, f"is unreachable: {type(error).__name__}")

    async def _ask(self, witness: Witness, note: str, prove: Prove) -> str:
        """A witness that is elsewhere says where: then once more from there."""
        size = parse_checkpoint(parse_note(note).text).size
        for _ in range(2):
            old = min(self._sizes.get(witness.name, 0), size)
            proof = await prove(old, size) if 0 < old < size else ()
            status, kind, answer = await self._post(witness, add_checkpoint_body(old, proof, note))
            if status == 200:
                line = own_line(note, answer, witness)
                self._sizes[witness.name] = size
                return line
            if status != 409 or kind != SIZE_TYPE or not answer.strip().isdigit():
                raise WitnessRefused(witness.name, f"answered {status}: {answer.strip()[:200]}")
            known = int(answer)
            if known == old == size:
                raise WitnessRefused(witness.name, f"has cosigned another root of {size} entries: one of us has forked")
            if known > size or known == old:
                raise WitnessRefused(witness.name, f"has seen {known} entries, and this checkpoint covers {size}")
            self._sizes[witness.name] = known
        raise WitnessRefused(witness.name, "moves on faster than it can be asked")

    async def _post(self, witness: Witness, body: str) -> tuple[int, str, str]:
        assert self._session is not None
        url = f"{(witness.url or '').rstrip('/')}/add-checkpoint"
        async with self._session.post(url, data=body.encode(), allow_redirects=False) as answer:
            data = await answer.content.read(_MAX_ANSWER_BYTES)
            return answer.status, answer.content_type, data.decode("utf-8", "replace")


def add_checkpoint_body(old: int, proof: tuple[bytes, ...], note: str) -> str:
    lines = [f"old {old}", *(base64.b64encode(each).decode() for each in proof), ""]
    return "\n".join(lines) + "\n" + note


def own_line(note: str, answer: str, witness: Witness) -> str:
    """The one line of the answer that is the witness's valid cosignature. Raises `WitnessRefused` when there is none."""
    for line in answer.split("\n"):
        if not line.startswith(_DASH):
            continue
        try:
            parsed = parse_note(f"{note}{line}\n")
            if is_of(parsed.signatures[-1], witness.key):
                cosigned_at(parsed.text, parsed.signatures[-1], witness.key)
                return line
        except NoteInvalid:
            continue
        except CosignatureInvalid as error:
            raise WitnessRefused(witness.name, f"answered with a line that is not its own: {error}") from None
    raise WitnessRefused(witness.name, "answered without its cosignature")
