"""The public log over HTTP, read as another tool would: checkpoint, tiles, bundles, proofs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestClient, TestServer
from tests.factories.paper_ledger import PaperLedger, verify_files

from aml.ledger.disk import Disk
from aml.ledger.public_log import PublicLog
from aml.rules.checkpoint import open_checkpoint
from aml.rules.merkle import leaf_hash, verify_inclusion
from aml.rules.tiles import tiles_of
from aml.rules.tlog_proof import parse_tlog_proof

SIZES = (3, 300, 600)


@pytest.fixture
async def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PaperLedger:
    ledger = PaperLedger(tmp_path, monkeypatch, Disk())
    for size in SIZES:
        ledger.append(size - len(ledger.rows.bodies))
        await ledger.sign()
    return ledger


@pytest.fixture
async def client(ledger: PaperLedger) -> AsyncIterator[TestClient[web.Request, web.Application]]:
    application = web.Application()
    application.add_routes(PublicLog(ledger.tiles.store).routes())
    async with TestClient(TestServer(application)) as client:
        yield client


async def read(client: TestClient[web.Request, web.Application], path: str) -> bytes:
    async with client.get(path) as answer:
        assert answer.status == 200, path
        return await answer.read()


@pytest.mark.parametrize("prefix", ["", "/log"])
async def test_a_mirror_of_every_published_size_verifies(
    client: TestClient[web.Request, web.Application], ledger: PaperLedger, tmp_path: Path, prefix: str
) -> None:
    for size in SIZES:
        mirror = tmp_path / f"mirror-{size}"
        mirror.mkdir()
        (mirror / "checkpoint").write_text(ledger.rows.checkpoints[size].note)
        for name in tiles_of(size):
            file = mirror / name.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(await read(client, f"{prefix}/{name.path}"))
        found = verify_files(mirror, ledger.signer.key)
        assert found is not None
        assert found.size == size


async def test_headers_let_a_cdn_keep_tiles_and_ask_for_checkpoints(
    client: TestClient[web.Request, web.Application],
) -> None:
    async with client.get("/checkpoint") as checkpoint, client.get("/tile/0/000") as tile:
        assert checkpoint.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert "immutable" not in checkpoint.headers["Cache-Control"]
        assert tile.headers["Content-Type"] == "application/octet-stream"
        assert "immutable" in tile.headers["Cache-Control"]
    async with client.get("/tile/entries/000", headers={"Accept-Encoding": "gzip"}) as bundle:
        assert bundle.headers["Content-Encoding"] == "gzip"


async def test_every_entry_has_a_tlog_proof(
    client: TestClient[web.Request, web.Application], ledger: PaperLedger
) -> None:
    for index in (0, 255, 256, 299, 512, 599):
        proof = parse_tlog_proof((await read(client, f"/log/tlog-proof/{index}")).decode())
        checkpoint = open_checkpoint(proof.checkpoint, ledger.signer.key)
        leaf = leaf_hash(ledger.rows.bodies[index])
        verify_inclusion(index=proof.index, size=checkpoint.size, leaf=leaf, proof=proof.proof, root=checkpoint.root)


@pytest.mark.parametrize(
    "path",
    [
        *("/tile/0/003", "/tile/0/002.p/89", "/tile/7/000", "/tile/0/0", "/tile/0/../../log.key", "/tile/x"),
        *("/tile/entries/%2e%2e/%2e%2e/%2e%2e/log.key", "/log/tlog-proof/600", "/log/tile/checkpoint"),
    ],
)
async def test_what_the_log_does_not_have_is_404(client: TestClient[web.Request, web.Application], path: str) -> None:
    async with client.get(path) as answer:
        assert answer.status == 404


async def test_an_unpublished_log_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = PaperLedger(tmp_path, monkeypatch, Disk())
    application = web.Application()
    application.add_routes(PublicLog(ledger.tiles.store).routes())
    async with TestServer(application) as server, ClientSession(server.make_url("")) as session:
        for path in ("/checkpoint", "/log/tlog-proof/0"):
            async with session.get(path) as answer:
                assert answer.status == 404
