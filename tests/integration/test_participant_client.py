"""The client against real servers on loopback, well-behaved and not."""

import asyncio
import gzip
import json
import logging
import socket
import ssl
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from aml.contracts.participant import (
    AddRequest,
    CallLimits,
    ImagePart,
    ImageUrl,
    Memory,
    Message,
    ParticipantTarget,
    SearchRequest,
    StatusPolling,
    TextPart,
)
from aml.contracts.release import RetryPolicy
from aml.runtime.clock import FixedClock
from aml.runtime.participant import (
    AddressRefused,
    AuthenticationRefused,
    EchoMismatched,
    HttpRefused,
    JsonInvalid,
    LimitExceeded,
    ParticipantClient,
    ParticipantError,
    RequestRefused,
    SchemaViolated,
    TlsFailed,
    TransportFailed,
)
from aml.runtime.secret import Secret

CANARY = "canary-51f0-key"
ADD = AddRequest(
    request_id="eval:run:d:s:chunk-0",
    messages=(Message(role="user", content="Zoë: 我喜欢茶 😀", timestamp=1704067200000),),
    user_id="eval:run:d:s",
    session_id="eval:run:s:1",
)
SEARCH = SearchRequest(query="Who likes tea?", user_id="eval:run:d:s", top_k=2)
ADD_OK = {"success": True, "request_id": ADD.request_id, "user_id": ADD.user_id, "session_id": ADD.session_id}

Handler = Callable[[web.Request, bytes], Awaitable[web.StreamResponse]]


class Participant:
    """Answers each request with the next handler, and the last one for ever; keeps what it received."""

    def __init__(self, *handlers: Handler) -> None:
        self.handlers = handlers
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.raw_paths: list[str] = []
        self.peers: set[Any] = set()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.paths.append(request.path)
        self.raw_paths.append(request.raw_path)
        assert request.transport is not None
        self.peers.add(request.transport.get_extra_info("peername"))
        return await self.handlers[min(len(self.bodies), len(self.handlers)) - 1](request, body)


def answers(value: Any = None, *, status: int = 200, body: bytes | None = None, **headers: str) -> Handler:
    async def handle(_: web.Request, __: bytes) -> web.StreamResponse:
        names = {name.replace("_", "-"): text for name, text in headers.items()}
        return web.Response(body=json.dumps(value).encode() if body is None else body, status=status, headers=names)

    return handle


@asynccontextmanager
async def serving(participant: Participant, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    app = web.Application(client_max_size=2**25)
    app.router.add_route("*", "/{path:.*}", participant.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def raw(reply: bytes, *, pause: float = 0.0, drip: bytes = b"") -> AsyncIterator[str]:
    """Sends `reply` once a request's head has come, then `drip` byte by byte, then closes."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            for byte in drip:
                await writer.drain()
                await asyncio.sleep(pause)
                writer.write(bytes([byte]))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def to_loopback(_: str, __: int) -> list[tuple[int, str]]:
    return [(socket.AF_INET, "127.0.0.1")]


def a_certificate(name: str, folder: Path) -> tuple[Path, Path]:
    """Self-signed, for `name`: the certificate's file and its key's."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "cert.pem", folder / "key.pem"


class Sleeps:
    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def a_client(base: str, **changes: Any) -> ParticipantClient:
    auth = changes.pop("auth", "bearer")
    status_url = changes.pop("status_url", None)
    settings: dict[str, Any] = {
        "secret": None if auth == "none" else Secret(CANARY),
        "policy": RetryPolicy(attempts=3, base_seconds=0.5, cap_seconds=8),
        "allow_private": True,
        "chance": lambda: 0.5,
        "schemes": ("http",),
        "sleep": Sleeps(),
    }
    target = ParticipantTarget(
        add_url=f"{base}/add", search_url=f"{base}/search", health_url=f"{base}/health", auth=auth,
        add_status_url=base + status_url if status_url else None,
        limits=changes.pop("limits", CallLimits(total_seconds=5, first_byte_seconds=5, max_response_bytes=100_000)),
    )  # fmt: skip
    return ParticipantClient(target, **(settings | changes))


async def failing(base: str, call: str = "search", **changes: Any) -> Any:
    async with a_client(base, **changes) as client:
        with pytest.raises(ParticipantError) as raised:
            await (client.add(ADD) if call == "add" else client.search(SEARCH))
    return raised.value


async def test_add_and_search_carry_the_contracts_bytes_and_headers() -> None:
    participant = Participant(
        answers(ADD_OK),
        answers({"data": [{"id": "m1", "content": "tea", "score": 0.5, "x": 1}]}),
        answers({"data": []}),
    )
    async with serving(participant) as base, a_client(base, clock=FixedClock(7_000)) as client:
        added = await client.add(ADD)
        found = await client.search(SEARCH)
        nothing = await client.search(SEARCH)

    assert json.loads(participant.bodies[0]) == {
        "request_id": ADD.request_id,
        "messages": [{"role": "user", "content": "Zoë: 我喜欢茶 😀", "timestamp": 1704067200000}],
        "user_id": ADD.user_id,
        "session_id": ADD.session_id,
    }
    assert json.loads(participant.bodies[1]) == {"query": "Who likes tea?", "user_id": "eval:run:d:s", "top_k": 2}
    headers = participant.headers[0]
    assert headers["Content-Type"] == "application/json"
    assert headers["Accept-Encoding"] == "identity"
    assert headers["Authorization"] == f"Bearer {CANARY}"
    assert (added.status, len(added.attempts), added.attempts[0].layer) == (200, 1, None)
    assert added.attempts[0].started_ms == 7_000
    assert added.attempts[0].bytes_read == len(json.dumps(ADD_OK))
    assert 0 < added.latency_us < 5_000_000
    assert found.memories == (Memory(id="m1", content="tea", score=0.5),)
    assert nothing.memories == ()
    assert participant.paths == ["/add", "/search", "/search"]
    assert len(participant.peers) == 1, "one kept connection"


async def test_an_encoded_request_is_sent_as_it_is_and_its_echo_checked() -> None:
    body = msgspec.json.encode(ADD)
    participant = Participant(answers(ADD_OK), answers(ADD_OK | {"user_id": "eval:run:d:S"}))
    async with serving(participant) as base, a_client(base) as client:
        await client.add(body)
        with pytest.raises(EchoMismatched):
            await client.add(body)
    assert participant.bodies == [body, body]


@pytest.mark.parametrize(
    ("auth", "header", "value"),
    [
        ("token", "Authorization", f"Token {CANARY}"), ("bearer", "Authorization", f"Bearer {CANARY}"),
        ("x-api-key", "X-Api-Key", CANARY), ("none", "Authorization", None),
    ],
)  # fmt: skip
async def test_each_scheme_and_an_unauthenticated_health(auth: str, header: str, value: str | None) -> None:
    participant = Participant(answers({"data": []}), answers({}, status=204))
    async with serving(participant) as base, a_client(base, auth=auth) as client:
        await client.search(SEARCH)
        health = await client.health()

    assert participant.headers[0].get(header) == value
    assert CANARY not in str(participant.headers[1])
    assert health.status == 204


async def test_retries_repeat_the_bytes_and_wait_as_asked() -> None:
    sleeps = Sleeps()
    participant = Participant(answers({}, status=429, Retry_After="3"), answers({}, status=500), answers(ADD_OK))
    async with serving(participant) as base, a_client(base, sleep=sleeps) as client:
        outcome = await client.add(ADD)

    assert sleeps.seconds == [3.0, 0.5]
    assert [(attempt.number, attempt.status, attempt.layer) for attempt in outcome.attempts] == [
        (1, 429, "http"), (2, 500, "http"), (3, 200, None),
    ]  # fmt: skip
    assert len(set(participant.bodies)) == 1


async def test_a_compressed_error_page_is_judged_by_its_status() -> None:
    busy = answers(body=gzip.compress(b"busy"), status=503, Content_Encoding="gzip")
    async with serving(Participant(busy, answers({"data": []}))) as base, a_client(base) as client:
        assert len((await client.search(SEARCH)).attempts) == 2


async def test_a_large_add_is_sent_whole_and_the_same_again() -> None:
    large = msgspec.structs.replace(ADD, messages=(Message(role="user", content="é" * 3_000_000),))
    participant = Participant(answers({}, status=502), answers(ADD_OK))
    async with serving(participant) as base, a_client(base) as client:
        await client.add(large)

    assert participant.bodies == [msgspec.json.encode(large)] * 2
    for headers in participant.headers:
        assert headers["Content-Length"] == str(len(participant.bodies[0]))
        assert headers["Content-Type"] == "application/json"
        assert "Content-Disposition" not in headers


async def test_attempts_end_and_the_error_holds_each_of_them() -> None:
    async with serving(Participant(answers({"e": "busy"}, status=503, Retry_After="9999"))) as base:
        sleeps = Sleeps()
        error = await failing(base, sleep=sleeps)

    assert isinstance(error, HttpRefused)
    assert (error.status, error.attempt, error.unscored_reason, error.retryable) == (503, 3, "transport", True)
    assert [attempt.status for attempt in error.attempts] == [503, 503, 503]
    assert sleeps.seconds == [8.0, 8.0], "clamped"
    assert error.excerpt == '{"e": "busy"}'


@pytest.mark.parametrize(
    ("handler", "kind", "reason", "hint"),
    [
        (answers(body=b"<html>oops</html>"), JsonInvalid, "contract", "<html>oops"),
        (answers(body=b'{"data":[],"data":[]}'), JsonInvalid, "contract", "twice"),
        (answers({}), SchemaViolated, "contract", "$.data"),
        (answers({"data": [{"id": "a", "content": ""}]}), SchemaViolated, "contract", "$.data[0].content"),
        (answers({"data": [{"id": str(n), "content": "c"} for n in range(3)]}), LimitExceeded, "limit", "top_k = 2"),
        (answers(body=b"x" * 100_001), LimitExceeded, "limit", "larger than 100000 bytes"),
        (answers({}, status=401), AuthenticationRefused, "authentication", "401"),
        (answers({}, status=403), AuthenticationRefused, "authentication", "403"),
        (answers({"detail": "no query"}, status=422), HttpRefused, "contract", "no query"),
        (answers({}, status=404), HttpRefused, "contract", "404"),
        (answers({}, status=409), HttpRefused, "contract", "409"),
        (answers({}, status=204), HttpRefused, "contract", "204"),
        (answers(body=gzip.compress(b'{"data": []}'), Content_Encoding="gzip"), HttpRefused, "contract", "compressed"),
    ],
)  # fmt: skip
async def test_permanent_faults_of_search(
    handler: Handler, kind: type[ParticipantError], reason: str, hint: str
) -> None:
    participant = Participant(handler)
    async with serving(participant) as base:
        error = await failing(base)

    assert type(error) is kind
    assert error.unscored_reason == reason
    assert hint in str(error)
    assert len(participant.bodies) == len(error.attempts) == 1, "not tried again"
    assert error.attempts[0].layer == error.layer
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("value", "status", "kind", "path"),
    [
        (ADD_OK | {"request_id": ADD.request_id.upper()}, 200, EchoMismatched, "$.request_id"),
        (ADD_OK | {"success": "true"}, 200, SchemaViolated, "$.success"),
        ({"success": True}, 200, SchemaViolated, "$.request_id"),
        ({"task_id": "t1"}, 202, HttpRefused, None),
        (ADD_OK, 201, HttpRefused, None),
    ],
)
async def test_permanent_faults_of_add(value: Any, status: int, kind: type[ParticipantError], path: str | None) -> None:
    async with serving(Participant(answers(value, status=status))) as base:
        error = await failing(base, "add")

    assert type(error) is kind
    assert (error.path, error.status, error.request_id, len(error.attempts)) == (path, status, ADD.request_id, 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_not_followed_and_the_key_not_sent_on(status: int) -> None:
    other = Participant(answers({"data": []}))
    async with (
        serving(other) as elsewhere,
        serving(Participant(answers({}, status=status, Location=elsewhere))) as base,
    ):
        error = await failing(base)

    assert isinstance(error, HttpRefused)
    assert other.bodies == []


async def test_a_false_content_length_ends_as_transport() -> None:
    async with raw(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"data":') as base:
        error = await failing(base)
    assert isinstance(error, TransportFailed)
    assert [(attempt.status, attempt.layer) for attempt in error.attempts] == [(200, "transport")] * 3


async def test_an_announced_giant_is_not_read() -> None:
    async with raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n") as base:
        error = await failing(base)
    assert isinstance(error, LimitExceeded)


async def test_an_endless_body_stops_at_the_cap() -> None:
    async def pour(request: web.Request, _: bytes) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" " * 50_000)

    async with serving(Participant(pour)) as base:
        error = await failing(base)
    assert isinstance(error, LimitExceeded)


async def test_a_drip_ends_at_the_total_deadline() -> None:
    limits = CallLimits(total_seconds=0.2, first_byte_seconds=0.2)
    async with raw(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", pause=0.02, drip=b" " * 100) as base:
        error = await failing(base, limits=limits, policy=RetryPolicy(attempts=1))
    assert isinstance(error, TransportFailed)
    assert "not complete within 0.2 s" in str(error)
    assert error.status == 200


async def test_silence_ends_at_the_first_byte_deadline() -> None:
    async def wait(_: web.Request, __: bytes) -> web.StreamResponse:
        await asyncio.sleep(30)
        raise AssertionError

    limits = CallLimits(total_seconds=20, first_byte_seconds=0.1)
    async with serving(Participant(wait)) as base:
        error = await failing(base, limits=limits, policy=RetryPolicy(attempts=2))
    assert isinstance(error, TransportFailed)
    assert "first byte" in str(error)
    assert len(error.attempts) == 2


@pytest.mark.parametrize(
    "reply", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100_000 + b"\r\n\r\n"]
)
async def test_what_is_no_http_is_named(reply: bytes) -> None:
    async with raw(reply) as base:
        error = await failing(base, policy=RetryPolicy(attempts=1))
    assert error.layer in ("transport", "http")


async def test_a_closed_port_is_tried_again_and_named() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    error = await failing(f"http://127.0.0.1:{port}")
    assert isinstance(error, TransportFailed)
    assert (len(error.attempts), error.status) == (3, None)


async def test_tls_to_a_plain_server_is_a_tls_error() -> None:
    async with serving(Participant(answers({}))) as base:
        error = await failing(base.replace("http", "https"), schemes=("https",), policy=RetryPolicy(attempts=2))
    assert isinstance(error, TlsFailed)
    assert (error.unscored_reason, len(error.attempts)) == ("transport", 2)


async def test_certificates_are_checked_for_the_name_in_the_url(tmp_path: Path) -> None:
    certificate, key = a_certificate("memory.example", tmp_path)
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(certificate, key)
    names: list[str | None] = []
    server_side.sni_callback = lambda _, name, __: names.append(name)
    trusting = ssl.create_default_context(cafile=str(certificate))
    common: dict[str, Any] = {"schemes": ("https",), "lookup": to_loopback}

    participant = Participant(answers({"data": []}))
    async with serving(participant, server_side) as base:
        port = base.rpartition(":")[2]
        async with a_client(f"https://memory.example:{port}", ssl_context=trusting, **common) as client:
            await client.search(SEARCH)
        unknown = await failing(f"https://memory.example:{port}", **common)
        other = await failing(f"https://other.example:{port}", ssl_context=trusting, **common)

    assert names[0] == "memory.example"
    assert [headers["Host"] for headers in participant.headers] == [f"memory.example:{port}"]
    for error in (unknown, other):
        assert isinstance(error, TlsFailed)
        assert len(error.attempts) == 1, "a wrong certificate stays wrong"


def test_loopback_needs_allow_private() -> None:
    with pytest.raises(AddressRefused):
        a_client("http://127.0.0.1:1", allow_private=False)


async def test_a_name_that_leads_to_loopback_is_refused_before_anything_is_sent() -> None:
    participant = Participant(answers({"data": []}))
    async with serving(participant) as base:
        port = base.rpartition(":")[2]
        error = await failing(f"http://memory.example:{port}", allow_private=False, lookup=to_loopback)
        async with a_client(f"http://memory.example:{port}", lookup=to_loopback) as client:
            await client.search(SEARCH)

    assert isinstance(error, AddressRefused)
    assert len(error.attempts) == 1
    assert [headers["Host"] for headers in participant.headers] == [f"memory.example:{port}"]


async def test_names_without_an_address_are_tried_again() -> None:
    async def unknown(_: str, __: int) -> list[tuple[int, str]]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    async def empty(_: str, __: int) -> list[tuple[int, str]]:
        return []

    for lookup in (unknown, empty):
        error = await failing("http://memory.example", lookup=lookup)
        assert "does not resolve" in str(error)
        assert len(error.attempts) == 3


async def test_sixty_four_calls_share_the_connections_allowed() -> None:
    async def slowly(_: web.Request, __: bytes) -> web.StreamResponse:
        await asyncio.sleep(0.01)
        return web.json_response({"data": []})

    participant = Participant(slowly)
    async with serving(participant) as base, a_client(base, connections=8) as client:
        outcomes = await asyncio.gather(*(client.search(SEARCH) for _ in range(64)))

    assert len(outcomes) == len(participant.bodies) == 64
    assert len(participant.peers) == 8


async def test_a_cancelled_call_leaves_a_client_that_works() -> None:
    async def hang(_: web.Request, __: bytes) -> web.StreamResponse:
        await asyncio.sleep(30)
        raise AssertionError

    async with serving(Participant(hang, answers({"data": []}))) as base, a_client(base, connections=1) as client:
        call = asyncio.create_task(client.search(SEARCH))
        await asyncio.sleep(0.05)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await client.search(SEARCH)).memories == ()


async def test_proxy_variables_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with serving(Participant(answers({"data": []}))) as base, a_client(base) as client:
        assert (await client.search(SEARCH)).memories == ()


async def test_health_that_fails_is_one_attempt() -> None:
    participant = Participant(answers({}, status=503))
    async with serving(participant) as base, a_client(base) as client:
        with pytest.raises(HttpRefused) as error:
            await client.health()
    assert (error.value.call, error.value.status, len(participant.bodies)) == ("health", 503, 1)


@pytest.mark.parametrize("call", ["add", "search"])
async def test_the_key_is_in_no_error_log_or_evidence(call: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echoing: list[Handler] = [
        answers({"data": CANARY, "success": CANARY}),
        answers(ADD_OK | {"request_id": CANARY, "data": [{"id": CANARY, "content": 3}]}),
        answers({"key": CANARY}, status=401),
        answers({"key": CANARY}, status=500),
        answers({}, status=302, Location=f"http://{CANARY}.example/"),
        answers(body=CANARY.encode()),
        answers(body=f'{{"{CANARY}":1,"{CANARY}":2}}'.encode()),
        answers({}, Content_Encoding=CANARY),
    ]
    errors = []
    for handler in echoing:
        async with serving(Participant(handler)) as base:
            errors.append(await failing(base, call))
    async with raw(f"HTTP/1.1 {CANARY}\r\n\r\n".encode()) as base:
        errors.append(await failing(base, call))
    async with raw(f"HTTP/1.1 200 OK\r\n{CANARY}\r\n\r\n".encode()) as base:
        errors.append(await failing(base, call))

    for error in errors:
        report = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        shown = [str(error), repr(error), report, repr(vars(error)), msgspec.json.encode(error.attempts).decode()]
        assert error.__cause__ is None
        assert error.__context__ is None
        assert all(CANARY not in text for text in shown[:2] + shown[3:])
        assert f"Bearer {CANARY}" not in report
    assert CANARY not in caplog.text


async def test_a_429_halves_the_calls_at_once_and_successes_bring_them_back() -> None:
    inside = most = 0

    async def crowded(_: web.Request, __: bytes) -> web.StreamResponse:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.002)
        inside -= 1
        return web.json_response({"data": []})

    busy = answers({}, status=429)
    async with serving(Participant(busy, crowded)) as base, a_client(base, search_concurrency=8) as client:
        await client.search(SEARCH)
        assert client.turnstiles["search"].pace.allowed == 4
        await asyncio.gather(*(client.search(SEARCH) for _ in range(12)))
        assert 4 <= most < 8
        await asyncio.gather(*(client.search(SEARCH) for _ in range(60)))
        assert (client.turnstiles["search"].pace.allowed, most) == (8, 8)
        assert client.turnstiles["add"].pace.allowed == 64, "each kind of call has its own pace"


async def test_an_accepted_add_is_asked_after_until_it_is_done() -> None:
    sleeps = Sleeps()
    participant = Participant(
        answers({"task_id": "t/1"}, status=202, Retry_After="7"),
        answers({"status": "queued"}),
        answers({}, status=503),
        answers({"task_id": "t/1"}, status=202),
        answers(ADD_OK | {"status": "done", "task_id": "t/1"}),
    )
    polling = StatusPolling(first_seconds=1, growth=2, cap_seconds=5)
    async with (
        serving(participant) as base,
        a_client(base, status_url="/tasks/{task_id}", sleep=sleeps, polling=polling, limits=CallLimits()) as client,
    ):
        outcome = await client.add(ADD)

    assert participant.raw_paths == ["/add"] + ["/tasks/t%2F1"] * 4
    assert [headers.get("Authorization") for headers in participant.headers] == [f"Bearer {CANARY}"] * 5
    assert participant.bodies[1:] == [b""] * 4
    assert sleeps.seconds == [5, 2, 4, 5], "as asked, up to the cap"
    assert (outcome.calls, outcome.status, len(outcome.attempts)) == (1, 202, 5)
    assert [each.poll for each in outcome.attempts] == [False, True, True, True, True]
    assert outcome.received == outcome.attempts[-1].bytes_read


async def test_a_failed_task_is_added_again_with_the_same_bytes() -> None:
    participant = Participant(
        answers({"task_id": "a"}, status=202),
        answers({"status": "failed"}),
        answers({"task_id": "b"}, status=202),
        answers(ADD_OK),
    )
    async with serving(participant) as base, a_client(base, status_url="/tasks/{task_id}") as client:
        outcome = await client.add(ADD)
    assert participant.paths == ["/add", "/tasks/a", "/add", "/tasks/b"]
    assert participant.bodies[0] == participant.bodies[2]
    assert outcome.calls == 2


async def test_asking_ends_with_the_requests_limit() -> None:
    participant = Participant(answers({"task_id": "a"}, status=202), answers({"status": "running"}))
    polling = StatusPolling(first_seconds=1, growth=1, cap_seconds=1)
    limits = CallLimits(total_seconds=4.5, first_byte_seconds=1)
    async with serving(participant) as base:
        error = await failing(
            base, "add", status_url="/tasks/{task_id}", polling=polling, limits=limits, policy=RetryPolicy(attempts=1)
        )
    assert isinstance(error, TransportFailed)
    assert "not done within 4.5 s" in error.problem
    assert (error.calls, len(error.attempts)) == (1, 5)


@pytest.mark.parametrize("template", ["http://127.0.0.1/tasks", "http://10.0.0.1:x/{task_id}", "ftp://a/{task_id}"])
def test_a_status_url_is_judged_when_the_client_is_made(template: str) -> None:
    target = ParticipantTarget(add_url="http://127.0.0.1/", search_url="http://127.0.0.1/", add_status_url=template)
    with pytest.raises(AddressRefused):
        ParticipantClient(
            target, secret=None, policy=RetryPolicy(), allow_private=True, chance=lambda: 0.5, schemes=("http",)
        )


async def test_what_may_not_be_sent_reaches_nobody() -> None:
    participant = Participant(answers(ADD_OK))
    remote = ImagePart(image_url=ImageUrl(url="https://example.org/cat.png"))
    message = Message(role="user", content=(TextPart(text="my cat"), remote))
    request = msgspec.structs.replace(ADD, messages=(message,))
    async with serving(participant) as base:
        for sent in (request, msgspec.json.encode(request)):
            async with a_client(base, multimodal=True) as client:
                with pytest.raises(RequestRefused) as raised:
                    await client.add(sent)
            assert raised.value.path == "$.messages[0].content[1].image_url.url"
            assert (raised.value.unscored_reason, raised.value.calls) == ("internal", 0)
    assert participant.bodies == []


async def test_a_large_answer_is_judged_while_others_are_answered() -> None:
    large = json.dumps({"data": [{"id": "a", "content": "tea " * 2_000_000}]}).encode()
    async with (
        serving(Participant(answers(body=large))) as base,
        serving(Participant(answers({"data": []}))) as other,
        a_client(base, limits=CallLimits()) as big,
        a_client(other) as small,
    ):
        task = asyncio.create_task(big.search(SEARCH))
        count = 0
        while not task.done():
            await small.search(SEARCH)
            count += 1
    assert len((await task).memories[0].content) == 8_000_000
    assert count >= 3


async def test_a_request_bears_the_same_headers_whichever_way_it_goes() -> None:
    """Small ones in one write, large ones in pieces."""
    participant = Participant(answers(ADD_OK))
    large = msgspec.structs.replace(ADD, messages=(Message(role="user", content="tea " * 100_000),))

    async with serving(participant) as base, a_client(base) as client:
        for request in (ADD, large, ADD):
            await client.add(request)

    assert [len(body) for body in participant.bodies] == [
        int(headers.pop("Content-Length")) for headers in participant.headers
    ]
    assert participant.headers[0] == participant.headers[1] == participant.headers[2]
    assert participant.headers[0]["Authorization"] == f"Bearer {CANARY}"
    assert participant.headers[0]["Content-Type"] == "application/json"
    assert len(participant.peers) == 1
