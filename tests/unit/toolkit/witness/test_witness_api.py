"""The ledger's client and our witness, over HTTP; and two organisations that watch each other."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.factories.cosigners import ORIGIN, a_note, log_key, witness_key
from tests.factories.paper_ledger import frontier_of

from aml.ledger.witnesses import SIZE_TYPE, Witnesses, add_checkpoint_body
from aml.rules.merkle import consistency_proof, leaf_hash
from aml.rules.tile_edge import subtree_root
from aml.rules.witness_policy import QuorumMissing, parse_policy, require_quorum
from aml.runtime.clock import FixedClock
from aml.toolkit.witness.errors import WitnessUnusable
from aml.toolkit.witness.witness_api import WitnessApi, log_keys
from aml.toolkit.witness.witness_key import make_cosigner, read_cosigner
from aml.toolkit.witness.witness_memory import WitnessMemory

NOW_S = 1_780_000_000
ENTRIES = [b"%d" % n for n in range(40)]
LEAVES = [leaf_hash(entry) for entry in ENTRIES]


async def prove(old: int, new: int) -> tuple[bytes, ...]:
    return consistency_proof(old, new, lambda level, at: subtree_root(LEAVES[at << level : (at + 1) << level]))


def note(size: int, entries: list[bytes] = ENTRIES, origin: str = ORIGIN) -> str:
    return a_note(size, frontier_of(entries[:size]).root(), origin=origin)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_cosigner(tmp_path / "witness.key", "w.example.org")
    return tmp_path


@contextlib.asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[TestServer]:
    with WitnessMemory(folder / "state") as memory:
        logs = log_keys([str(log_key()), "", "# a comment"])
        api = WitnessApi(read_cosigner(folder / "witness.key"), logs, memory, FixedClock(NOW_S * 1000))
        application = web.Application()
        application.add_routes(api.routes())
        async with TestServer(application) as server:
            yield server


def policy_of(folder: Path, server: TestServer) -> str:
    return f"witness w {read_cosigner(folder / 'witness.key').key} {server.make_url('')}\nquorum w\n"


async def test_a_log_that_grows_is_cosigned_each_time(folder: Path) -> None:
    async with serving(folder) as server, Witnesses(parse_policy(policy_of(folder, server))) as witnesses:
        for size in (1, 7, 7, 12, 40):
            cosigned, refused = await witnesses.cosign(note(size), prove)
            assert refused == ()
            assert require_quorum(cosigned, witnesses.policy, now_s=NOW_S) == ("w",)


async def test_a_client_that_remembers_nothing_asks_again_from_where_the_witness_is(folder: Path) -> None:
    async with serving(folder) as server:
        for size in (7, 7, 20):
            async with Witnesses(parse_policy(policy_of(folder, server))) as witnesses:
                assert (await witnesses.cosign(note(size), prove))[1] == ()


async def test_a_fork_and_an_older_checkpoint_are_not_cosigned_even_after_a_restart(folder: Path) -> None:
    async with serving(folder) as server, Witnesses(parse_policy(policy_of(folder, server))) as witnesses:
        await witnesses.cosign(note(12), prove)
    forked = [*ENTRIES[:5], b"fork", *ENTRIES[6:]]
    async with serving(folder) as server, Witnesses(parse_policy(policy_of(folder, server))) as witnesses:
        for bad, reason in (
            (note(7), "has seen 12"),
            (note(12, forked), "another root of 12"),
            (note(20, forked), "422"),
        ):
            cosigned, refused = await witnesses.cosign(bad, prove)
            assert cosigned == bad
            assert reason in refused[0]
            with pytest.raises(QuorumMissing):
                require_quorum(cosigned, witnesses.policy, now_s=NOW_S)


async def test_statuses_and_bodies_are_the_specifications(folder: Path) -> None:
    async with serving(folder) as server, Witnesses(parse_policy(policy_of(folder, server))) as witnesses:
        assert witnesses._session is not None

        async def post(body: str) -> tuple[int, str, str]:
            assert witnesses._session is not None
            async with witnesses._session.post(server.make_url("/add-checkpoint"), data=body.encode()) as answer:
                return answer.status, answer.content_type, await answer.text()

        status, kind, line = await post(add_checkpoint_body(0, (), note(7)))
        assert (status, kind, line.startswith("\u2014 w.example.org "), line.endswith("\n")) == (
            *(200, "text/plain"),
            *(True, True),
        )
        assert await post(add_checkpoint_body(0, (), note(12))) == (409, SIZE_TYPE, "7\n")
        assert (await post(add_checkpoint_body(7, (), note(12))))[0] == 422
        assert (await post(add_checkpoint_body(0, (), note(5, origin="other.example"))))[0] == 404
        assert (await post("nonsense"))[0] == 400
        assert (await post("x" * 100_000))[0] == 400
        async with witnesses._session.get(server.make_url("/verifier")) as answer:
            assert (await answer.text()).strip() == str(read_cosigner(folder / "witness.key").key)


async def test_a_witness_that_is_away_or_lies_is_named_and_the_others_count(folder: Path) -> None:
    async def lies(_: web.Request) -> web.Response:
        return web.Response(text=note(7).splitlines()[-1] + "\n")

    application = web.Application()
    application.add_routes([web.post("/add-checkpoint", lies)])
    async with serving(folder) as server, TestServer(application) as liar:
        lines = [
            policy_of(folder, server).splitlines()[0],
            f"witness liar {witness_key('liar')} {liar.make_url('')}",
            f"witness away {witness_key('away')} http://127.0.0.1:9/",
            f"witness silent {witness_key('silent')}",
            "quorum w",
        ]
        async with Witnesses(parse_policy("\n".join(lines))) as witnesses:
            cosigned, refused = await witnesses.cosign(note(7), prove)
    assert require_quorum(cosigned, witnesses.policy, now_s=NOW_S) == ("w",)
    assert [text.split(" ")[1] for text in refused] == ["liar", "away"]


def test_the_witnesses_key_is_made_once_and_kept_private(folder: Path) -> None:
    file = folder / "witness.key"
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(WitnessUnusable, match="exists"):
        make_cosigner(file, "w.example.org")
    with pytest.raises(WitnessUnusable, match="cannot be a witness's name"):
        make_cosigner(folder / "other", "w example")
    file.chmod(0o644)
    with pytest.raises(WitnessUnusable, match="chmod 600"):
        read_cosigner(file)
    file.chmod(0o600)
    for text in ("", "nonsense", "PRIVATE+KEY+w+00000000+AAAA", file.read_text().replace("w.example", "v.example")):
        file.write_text(text)
        with pytest.raises(WitnessUnusable):
            read_cosigner(file)


def test_a_witness_without_a_log_does_not_start() -> None:
    with pytest.raises(WitnessUnusable, match="no log to watch"):
        log_keys(["", "# nothing"])
    with pytest.raises(WitnessUnusable, match="line 2"):
        log_keys([str(log_key()), str(witness_key("w"))])
