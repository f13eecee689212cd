from pathlib import Path

import pytest
from msgspec import Struct

from aml.gateway.settings import GatewaySettings
from aml.ingest.settings import IngestSettings
from aml.judge.settings import JudgeSettings
from aml.ledger.settings import LedgerSettings
from aml.publisher.settings import PublisherSettings
from aml.retrieval.settings import RetrievalSettings
from aml.runtime.settings import HttpSettings, read_settings, variables_of
from aml.toolkit.local.home import Layout
from aml.toolkit.local.services import READS, SERVICES, plan_service, portal_url
from aml.toolkit.local.state import Addresses

PORTS = {name: 20_000 + index for index, name in enumerate(SERVICES)}
LAYOUT = Layout(Path("/data/home"))
ADDRESSES = Addresses(
    nats_url="nats://127.0.0.1:20100",
    nats_token_file=LAYOUT.nats_token_file,
    database_url="postgresql://aml@127.0.0.1:20101/aml",
    database_password_file=LAYOUT.database_password_file,
)
USER = {
    "PATH": "/usr/bin",
    "AML_OPENAI_BASE_URL": "http://models.example/v1",
    "AML_OPENAI_API_KEYS_FILE": "/keys",
    "AML_LOG_LEVEL": "debug",
    "AML_DATABASE_URL": "postgresql://elsewhere/ignored-unless-given-in-addresses",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "HTTPS_PROXY": "http://proxy.example",
}


def environment_of(name: str, environ: dict[str, str] = USER) -> dict[str, str]:
    return plan_service(name, LAYOUT, ADDRESSES, PORTS, environ).environment


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_a_module_with_its_own_port_and_log(name: str) -> None:
    plan = plan_service(name, LAYOUT, ADDRESSES, PORTS, USER)

    assert plan.command[-2:] == ("-m", f"aml.{name}")
    assert plan.environment["AML_HTTP_HOST"] == "127.0.0.1"
    assert plan.environment["AML_HTTP_PORT"] == str(plan.port) == str(PORTS[name])
    assert plan.log_file == LAYOUT.logs / f"{name}.log"
    assert plan.environment["AML_NATS_URL"] == ADDRESSES.nats_url
    assert plan.environment["AML_LOG_LEVEL"] == "debug"


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_of_the_callers_environment_leaks(name: str) -> None:
    environment = environment_of(name)

    assert "AWS_SECRET_ACCESS_KEY" not in environment
    assert not any("secret" in value for value in environment.values() if not value.startswith("/data/home/secrets/"))
    assert environment.get("AML_DATABASE_URL") in (None, ADDRESSES.database_url)


def test_releases_of_this_home_are_read_unless_the_user_names_a_folder() -> None:
    assert environment_of("gateway")["AML_FILES_RELEASES"] == str(LAYOUT.releases)
    assert environment_of("judge", USER | {"AML_FILES_RELEASES": "/mine"})["AML_FILES_RELEASES"] == "/mine"


def test_only_the_judge_gets_model_keys_and_a_proxy() -> None:
    for variable in ("AML_OPENAI_BASE_URL", "AML_OPENAI_API_KEYS_FILE", "HTTPS_PROXY"):
        assert {name for name in SERVICES if variable in environment_of(name)} == {"judge"}


def test_only_the_ledger_gets_the_signing_key_and_only_database_users_the_password() -> None:
    assert {name for name in SERVICES if "AML_SIGNER_KEY_FILE" in environment_of(name)} == {"ledger"}
    assert {name for name in SERVICES if "AML_DATABASE_PASSWORD_FILE" in environment_of(name)} == {"ledger", "gateway"}
    assert {name for name in SERVICES if "AML_OPERATOR_KEY_FILE" in environment_of(name)} == {"gateway"}


def test_local_participants_may_have_private_addresses() -> None:
    for name in ("gateway", "ingest", "retrieval"):
        assert environment_of(name)["AML_NETWORK_ALLOW_PRIVATE"] == "true"


def test_a_given_database_without_a_password_file_gets_none() -> None:
    addresses = Addresses(
        nats_url="nats://n", nats_token_file=None, database_url="postgresql://u:p@h/d", database_password_file=None
    )

    environment = plan_service("ledger", LAYOUT, addresses, PORTS, {}).environment

    assert environment["AML_DATABASE_URL"] == "postgresql://u:p@h/d"
    assert "AML_DATABASE_PASSWORD_FILE" not in environment
    assert "AML_NATS_TOKEN_FILE" not in environment


SETTINGS: dict[str, type[Struct]] = {
    "ledger": LedgerSettings,
    "ingest": IngestSettings,
    "retrieval": RetrievalSettings,
    "judge": JudgeSettings,
    "publisher": PublisherSettings,
    "gateway": GatewaySettings,
}


@pytest.mark.parametrize("name", SERVICES)
def test_the_table_is_what_the_services_read(name: str) -> None:
    assert set(READS[name]) == set(variables_of(SETTINGS[name]))


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_can_read_its_settings(name: str) -> None:
    settings = read_settings(SETTINGS[name], environment_of(name, {}))

    assert settings.http == HttpSettings(host="127.0.0.1", port=PORTS[name])  # type: ignore[attr-defined]


def test_a_users_own_tuning_reaches_the_service_that_reads_it() -> None:
    assert environment_of("ledger", {"AML_APPEND_BATCH_EVENTS": "64"})["AML_APPEND_BATCH_EVENTS"] == "64"
    assert "AML_APPEND_BATCH_EVENTS" not in environment_of("ingest", {"AML_APPEND_BATCH_EVENTS": "64"})


def test_the_portal_is_the_gateway() -> None:
    assert portal_url(PORTS) == f"http://127.0.0.1:{PORTS['gateway']}"
