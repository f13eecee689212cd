"""The gateway's HTTP API for programs: typed results, and a refusal that says what to do next.

PlatformError
├── PlatformRefused       the gateway answered, and the answer is no
└── PlatformUnreachable   there was no usable answer within the patience
"""

import asyncio
import time
import uuid
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import httpx
import msgspec
from msgspec import Struct

from aml.contracts.seals import Decision
from aml.gateway.access.bodies import AccessApplication, AccessDecision
from aml.gateway.access.views import AccessCreated, AccessDecided, Version
from aml.gateway.jobs.bodies import Cancellation, JobOrder
from aml.gateway.jobs.views import Job, JobList
from aml.gateway.keys.bodies import KeyOrder
from aml.gateway.keys.views import KeyShown, Me
from aml.gateway.operations.bodies import RunOrder
from aml.gateway.operations.views import Parked, Requeued
from aml.gateway.public.views import ReleaseList
from aml.gateway.results.views import Questions, Results
from aml.gateway.review.bodies import ReviewOrder
from aml.gateway.review.views import Reviewed, Reviews

T = TypeVar("T", bound=Struct)

PATIENCE_SECONDS: Final = 20.0
"""How long a call outlives a gateway that restarts: its supervisor needs a few seconds."""
PAUSE_SECONDS: Final = 0.2
TIMEOUT_SECONDS: Final = 30.0


class Versions(Struct, frozen=True, kw_only=True):
    versions: tuple[Version, ...]


class PlatformError(Exception):
    """Root. The message is one line."""


class PlatformRefused(PlatformError):
    """`fields` holds `(field, problem)` pairs where the gateway named fields."""

    def __init__(self, *, reason: str, message: str, status: int, fields: tuple[tuple[str, str], ...] = ()) -> None:
        named = "; ".join(f"{field} {problem}" for field, problem in fields)
        super().__init__(f"the platform refused ({reason}): {named or message}")
        self.reason = reason
        self.message = message
        self.status = status
        self.fields = fields


class PlatformUnreachable(PlatformError):
    def __init__(self, base_url: str, problem: str) -> None:
        super().__init__(f"the platform at {base_url} cannot be reached: {problem}; `aml status` shows what runs")
        self.base_url = base_url
        self.problem = problem


class Platform:
    """One caller's view of a platform. `as_caller` gives another caller's, over the same connections."""

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        http: httpx.AsyncClient | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._key = key
        self._patience = patience_seconds
        self._owned = http is None
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_SECONDS, trust_env=False)

    def as_caller(self, key: str | None) -> "Platform":
        return Platform(self.base_url, key, http=self._http, patience_seconds=self._patience)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._owned:
            await self._http.aclose()

    async def me(self) -> Me:
        return await self._get("/me", Me)

    async def versions(self) -> Versions:
        return await self._get("/versions", Versions)

    async def releases(self) -> ReleaseList:
        return await self._get("/releases", ReleaseList)

    async def request_access(self, application: AccessApplication) -> AccessCreated:
        return await self._create("/access-requests", application, AccessCreated)

    async def approve(self, access_id: str, reason: str = "") -> AccessDecided:
        return await self._post(f"/access-requests/{access_id}/approve", AccessDecision(reason=reason), AccessDecided)

    async def decline(self, access_id: str, reason: str) -> AccessDecided:
        return await self._post(f"/access-requests/{access_id}/decline", AccessDecision(reason=reason), AccessDecided)

    async def claim(self, access_id: str) -> KeyShown:
        """As the applicant: the caller's key is the claim token. The key is shown once."""
        return await self._post(f"/access-requests/{access_id}/claim", None, KeyShown)

    async def create_job(self, order: JobOrder) -> Job:
        return await self._create("/jobs", order, Job)

    async def jobs(self, limit: int = 100, offset: int = 0) -> JobList:
        return await self._get("/jobs", JobList, limit=limit, offset=offset)

    async def job(self, job_id: str) -> Job:
        return await self._get(f"/jobs/{job_id}", Job)

    async def cancel(self, job_id: str, reason: str = "cancelled by its owner") -> Job:
        return await self._post(f"/jobs/{job_id}/cancel", Cancellation(reason=reason), Job)

    async def results(self, job_id: str) -> Results:
        """Refused with the reason `results_not_ready` until the gate has decided."""
        return await self._get(f"/jobs/{job_id}/results", Results)

    async def questions(self, job_id: str, outcome: str | None = None, limit: int = 100, offset: int = 0) -> Questions:
        chosen = {"outcome": outcome} if outcome else {}
        return await self._get(f"/jobs/{job_id}/questions", Questions, limit=limit, offset=offset, **chosen)

    async def reviews(self) -> Reviews:
        return await self._get("/reviews", Reviews)

    async def review(self, job_id: str, decision: Decision, reason: str) -> Reviewed:
        return await self._post(f"/jobs/{job_id}/review", ReviewOrder(decision=decision, reason=reason), Reviewed)

    async def create_run(self, order: RunOrder) -> Job:
        return await self._create("/operator/runs", order, Job)

    async def create_key(self, order: KeyOrder) -> KeyShown:
        return await self._create("/operator/keys", order, KeyShown)

    async def parked(self, job_id: str | None = None) -> Parked:
        return await self._get("/operator/parked", Parked, **({"job_id": job_id} if job_id else {}))

    async def requeue(self, job_id: str) -> Requeued:
        return await self._post(f"/operator/jobs/{job_id}/requeue", None, Requeued)

    async def board_file(self, name: str) -> bytes | None:
        """A file of the public board, e.g. `board.json`; None while it is not there."""
        answer = await self._send("GET", f"{self.base_url}/board/{name}", repeat=True)
        if answer.status_code == 404:
            return None
        if answer.is_success:
            return answer.content
        raise _refusal(answer)

    async def _get(self, path: str, shape: type[T], **query: Any) -> T:
        return self._read(await self._send("GET", self._api(path), repeat=True, params=query), shape)

    async def _create(self, path: str, body: Struct, shape: type[T]) -> T:
        """May be sent again after a broken connection: the key makes the gateway answer as it did the first time."""
        again = {"Idempotency-Key": uuid.uuid4().hex}
        content = msgspec.json.encode(body)
        return self._read(await self._send("POST", self._api(path), repeat=True, content=content, extra=again), shape)

    async def _post(self, path: str, body: Struct | None, shape: type[T]) -> T:
        content = None if body is None else msgspec.json.encode(body)
        return self._read(await self._send("POST", self._api(path), repeat=False, content=content), shape)

    def _api(self, path: str) -> str:
        return f"{self.base_url}/api/v1{path}"

    async def _send(
        self,
        method: str,
        url: str,
        *,
        repeat: bool,
        params: dict[str, Any] | None = None,
        content: bytes | None = None,
        extra: dict[str, str] | None = None,
    ) -> httpx.Response:
        headers = dict(extra or {})
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        if content is not None:
            headers["Content-Type"] = "application/json"
        deadline = time.monotonic() + self._patience
        while True:
            try:
                answer = await self._http.request(method, url, params=params, content=content, headers=headers)
            except httpx.TransportError as error:
                never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if not (repeat or never_sent) or time.monotonic() > deadline:
                    raise PlatformUnreachable(self.base_url, str(error) or type(error).__name__) from None
            else:
                if answer.status_code != 503 or time.monotonic() > deadline:
                    return answer
            await asyncio.sleep(PAUSE_SECONDS)

    def _read(self, answer: httpx.Response, shape: type[T]) -> T:
        if not answer.is_success:
            raise _refusal(answer)
        try:
            return msgspec.json.decode(answer.content, type=shape)
        except msgspec.DecodeError as error:
            problem = f"it answered {answer.request.url.path} with something else than a {shape.__name__} ({error})"
            raise PlatformUnreachable(self.base_url, problem) from None


class _Field(Struct):
    field: str
    problem: str


class _Detail(Struct):
    reason: str
    message: str = ""
    fields: tuple[_Field, ...] = ()


class _Refusal(Struct):
    detail: _Detail


def _refusal(answer: httpx.Response) -> PlatformRefused:
    try:
        detail = msgspec.json.decode(answer.content, type=_Refusal).detail
    except msgspec.DecodeError:
        detail = _Detail(reason=f"http_{answer.status_code}", message=f"HTTP {answer.status_code} without a reason")
    return PlatformRefused(
        reason=detail.reason,
        message=detail.message,
        status=answer.status_code,
        fields=tuple((each.field, each.problem) for each in detail.fields),
    )
