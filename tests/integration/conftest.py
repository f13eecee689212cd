"""A real NATS and a real Postgres for the session.

By default from the wheels. `AML_TEST_NATS_URL` and `AML_TEST_DATABASE_URL` name servers that run already;
`AML_TEST_INFRA=containers` takes both from testcontainers.
"""

import gc
import os
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from aml.toolkit.local import start_infra
from aml.toolkit.local.settings import GivenDatabase, GivenNats, StackSettings

NATS_IMAGE = "nats:2.15-alpine"
POSTGRES_IMAGE = "postgres:18-alpine"


@pytest.fixture(scope="session")
def infra_urls() -> Iterator[tuple[str, str]]:
    """The broker's and the database's address, each with its secret in it."""
    nats, database = os.environ.get("AML_TEST_NATS_URL"), os.environ.get("AML_TEST_DATABASE_URL")
    with ExitStack() as held:
        if os.environ.get("AML_TEST_INFRA") == "containers":
            with warnings.catch_warnings():
                # testcontainers deprecates what it itself calls; docker forgets its socket when no engine answers.
                warnings.simplefilter("ignore", DeprecationWarning)
                warnings.simplefilter("ignore", ResourceWarning)
                from_containers = _containers(held, wants_nats=nats is None, wants_database=database is None)
            nats, database = nats or from_containers[0], database or from_containers[1]
        home = held.enter_context(tempfile.TemporaryDirectory(prefix="aml-infra-"))
        settings = StackSettings(nats=GivenNats(url=nats), database=GivenDatabase(url=database))
        infra = start_infra(Path(home), settings=settings)
        held.callback(infra.stop, remove=True)
        yield infra.nats_url_with_token, infra.database_url_with_password


@pytest.fixture(scope="session")
def nats_url(infra_urls: tuple[str, str]) -> str:
    """With the token in it. JetStream is shared by the session: give streams and subjects names of your own."""
    return infra_urls[0]


@pytest.fixture(scope="session")
def database_url(infra_urls: tuple[str, str]) -> str:
    """With the password in it. Shared by the session; `fresh_database_url` is a test's own."""
    return infra_urls[1]


@pytest.fixture
def fresh_database_url(database_url: str) -> Iterator[str]:
    """An empty database that goes with the test."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlsplit(database_url)._replace(path=f"/{name}").geturl()
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _containers(held: ExitStack, *, wants_nats: bool, wants_database: bool) -> tuple[str | None, str | None]:
    import docker
    from testcontainers.community.nats import NatsContainer
    from testcontainers.community.postgres import PostgresContainer

    try:
        with closing(docker.from_env()) as engine:
            engine.ping()
    except docker.errors.DockerException as error:
        missing = str(error)
    else:
        missing = None
    if missing is not None:
        gc.collect()
        pytest.skip(f"AML_TEST_INFRA=containers, but no container engine answers: {missing}")
    nats = database = None
    if wants_nats:
        nats = held.enter_context(NatsContainer(NATS_IMAGE, jetstream=True)).nats_uri()
    if wants_database:
        database = held.enter_context(PostgresContainer(POSTGRES_IMAGE, driver=None)).get_connection_url()
    return nats, database
