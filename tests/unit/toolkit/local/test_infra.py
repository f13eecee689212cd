import asyncio
from pathlib import Path

import nats
import psycopg
import pytest

from aml.toolkit.local import Infra, start_infra
from aml.toolkit.local.home import HomeBusy
from aml.toolkit.local.infra import with_credential
from aml.toolkit.local.ports import is_free
from aml.toolkit.local.settings import GivenDatabase, GivenNats, StackSettings


def ports_of(infra: Infra) -> list[int]:
    return [int(url.rpartition(":")[2].partition("/")[0]) for url in (infra.nats_url, infra.database_url)]


async def test_both_work_and_keep_what_they_were_told(tmp_path: Path) -> None:
    with start_infra(tmp_path / "home") as infra:
        client = await nats.connect(infra.nats_url_with_token)
        stream = await client.jetstream().add_stream(name="KEPT", subjects=["kept.*"])
        await client.jetstream().publish("kept.one", b"1")
        await client.close()
        with psycopg.connect(infra.database_url_with_password) as connection:
            connection.execute("CREATE TABLE kept (n int)")
        with pytest.raises(HomeBusy):
            start_infra(tmp_path / "home")
        ports = ports_of(infra)
        assert str(stream.config.storage) == "file"

    assert all(is_free(port) for port in ports)

    infra = start_infra(tmp_path / "home")
    try:
        assert ports_of(infra) == ports
        client = await nats.connect(infra.nats_url_with_token)
        assert (await client.jetstream().stream_info("KEPT")).state.messages == 1
        await client.close()
        with psycopg.connect(infra.database_url_with_password) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    finally:
        infra.stop(remove=True)


async def test_the_broker_refuses_who_has_no_token(tmp_path: Path) -> None:
    settings = StackSettings(database=GivenDatabase(url="postgresql://elsewhere/db"))
    with start_infra(tmp_path / "home", settings=settings) as infra:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(infra.nats_url.rpartition(":")[2]))
        await reader.readline()
        writer.write(b'CONNECT {"verbose": false}\r\nPING\r\n')
        said = await reader.readline()
        writer.close()
        await writer.wait_closed()

        assert said == b"-ERR 'Authorization Violation'\r\n"
        assert infra.database_url_with_password == "postgresql://elsewhere/db"


def test_given_addresses_start_nothing(tmp_path: Path) -> None:
    settings = StackSettings(
        nats=GivenNats(url="nats://broker:4222"), database=GivenDatabase(url="postgresql://u:p@db/aml")
    )

    with start_infra(tmp_path, settings=settings) as infra:
        assert infra.nats_url_with_token == "nats://broker:4222"
        assert infra.database_url_with_password == "postgresql://u:p@db/aml"

    assert not list((tmp_path / "logs").iterdir())


@pytest.mark.parametrize(
    ("url", "user", "expected"),
    [
        ("nats://127.0.0.1:4222", "", "nats://a%2Fb@127.0.0.1:4222"),
        ("postgresql://aml@127.0.0.1:5432/aml", "aml", "postgresql://aml:a%2Fb@127.0.0.1:5432/aml"),
    ],
)
def test_a_secret_is_put_where_the_clients_look(tmp_path: Path, url: str, user: str, expected: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a/b\n")

    assert with_credential(url, user, secret) == expected
    assert with_credential(url, user, None) == url
