"""One participant client a running job, made when the job's first unit comes and closed when the job ends."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from aml.contracts.jobs import JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import Release, RetryPolicy
from aml.rules.identity import event_id

from .evidence import EvidenceStore
from .participant.client import ParticipantClient
from .participant.narrower_limits import narrower
from .secret import Secret
from .vault import Vault


@dataclass
class Participants:
    evidence: EvidenceStore
    vault: Vault
    release_of: Callable[[str], tuple[Release, str]]
    allow_private: bool
    """Of this process. A job's own flag cannot widen it."""
    _clients: dict[str, asyncio.Future[ParticipantClient]] = field(default_factory=dict)
    _policies: dict[str, RetryPolicy] = field(default_factory=dict)
    _closing: set[asyncio.Future[None]] = field(default_factory=set)

    async def client_of(self, requested: JobRequested) -> ParticipantClient:
        """Raises `SecretUnavailable`, `EvidenceUnavailable`, `AddressRefused`."""
        known = self._clients.get(requested.job_id)
        if known is None:
            known = self._clients[requested.job_id] = asyncio.ensure_future(self._make(requested))
        elif known.done() and not known.exception():
            return known.result()
        try:
            return await asyncio.shield(known)
        except Exception:
            self._clients.pop(requested.job_id, None)
            raise

    def policy_of(self, job_id: str) -> RetryPolicy:
        return self._policies.get(job_id, RetryPolicy())

    def end(self, job_id: str) -> None:
        """Closes the job's client once the calls under way are over."""
        self._policies.pop(job_id, None)
        if (made := self._clients.pop(job_id, None)) is not None:
            self._closing.add(task := asyncio.ensure_future(_close(made)))
            task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        for job_id in list(self._clients):
            self.end(job_id)
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def access_of(self, requested: JobRequested) -> tuple[ParticipantTarget, Secret | None]:
        """Where the job's participant is, and its key. Raises `SecretUnavailable`, `EvidenceUnavailable`."""
        assert requested.target is not None
        target = await self.evidence.open_json(
            requested.job_id, event_id(requested), requested.target, ParticipantTarget
        )
        return target, await self.vault.open(target.secret_id) if target.secret_id is not None else None

    def connect(
        self,
        requested: JobRequested,
        release: Release,
        policy: RetryPolicy,
        target: ParticipantTarget,
        secret: Secret | None,
    ) -> ParticipantClient:
        """A client of its own, under the job's release and network rules. Raises `AddressRefused`."""
        private = self.allow_private and requested.allow_private
        return ParticipantClient(
            target,
            secret=secret,
            policy=policy,
            # A private address has no certificate to speak of: where it is allowed, plain http is.
            schemes=(*release.allowed_schemes, "http") if private else release.allowed_schemes,
            ports=None if private else release.allowed_ports or None,
            allow_private=private,
            limits=narrower(release.limits, target.limits),
            polling=release.status_polling,
            add_concurrency=max(1, requested.add_concurrency),
            search_concurrency=max(1, requested.search_concurrency),
            multimodal=requested.track == "multimodal",
            chance=random.random,
        )

    async def _make(self, requested: JobRequested) -> ParticipantClient:
        release, _ = self.release_of(requested.release_id)
        self._policies[requested.job_id] = release.retry
        target, secret = await self.access_of(requested)
        return self.connect(requested, release, release.retry, target, secret)


async def _close(made: asyncio.Future[ParticipantClient]) -> None:
    """Also a client that is still being made when its job ends."""
    await asyncio.wait({made})
    if not made.cancelled() and made.exception() is None:
        await made.result().close()
