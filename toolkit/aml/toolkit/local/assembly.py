"""Wires one home's processes: which ones there are, in which order, at which ports."""

import random
from collections.abc import Mapping

from msgspec import Struct

from .given_servers import check_given
from .home import Layout
from .nats import nats_url, plan_nats
from .ports import claim_ports
from .postgres import database_url, prepare_postgres
from .process_plan import Prepare
from .services import SERVICES, base_environment, plan_service, portal_url
from .settings import StackSettings
from .state import Addresses

Stage = Mapping[str, Prepare]
"""Processes that start side by side; the next stage starts when all of them are ready."""


class Assembly(Struct, frozen=True, kw_only=True):
    stages: tuple[Stage, ...]
    ports: dict[str, int]
    addresses: Addresses
    portal: str


def assemble(layout: Layout, settings: StackSettings, environ: Mapping[str, str]) -> Assembly:
    """Claims the ports; starts nothing. Raises `NoFreePort`, and `GivenServerUnusable` for a server of the user's own."""
    check_given(settings)
    ports = claim_ports(("nats", "nats-monitor", "postgres", *SERVICES), layout.ports_file, random.Random())  # noqa: S311
    addresses = locate(layout, settings, ports)
    services: dict[str, Prepare] = {name: _service(name, layout, addresses, ports, environ) for name in SERVICES}
    return Assembly(
        stages=tuple(stage for stage in (infrastructure(layout, settings, ports, environ), services) if stage),
        ports=ports,
        addresses=addresses,
        portal=portal_url(ports),
    )


def infrastructure(
    layout: Layout, settings: StackSettings, ports: Mapping[str, int], environ: Mapping[str, str]
) -> dict[str, Prepare]:
    """NATS and Postgres, without those whose address was given."""
    environment = base_environment(layout, environ)
    stage: dict[str, Prepare] = {}
    if settings.nats.url is None:
        stage["nats"] = lambda: plan_nats(layout, ports["nats"], ports["nats-monitor"], environment)
    if settings.database.url is None:
        stage["postgres"] = lambda: prepare_postgres(layout, ports["postgres"], environment, settings.postgres)
    return stage


def locate(layout: Layout, settings: StackSettings, ports: Mapping[str, int]) -> Addresses:
    given_nats, given_database = settings.nats, settings.database
    return Addresses(
        nats_url=given_nats.url or nats_url(ports["nats"]),
        nats_token_file=given_nats.token_file if given_nats.url else layout.nats_token_file,
        database_url=given_database.url or database_url(ports["postgres"]),
        database_password_file=given_database.password_file if given_database.url else layout.database_password_file,
    )


def _service(
    name: str, layout: Layout, addresses: Addresses, ports: Mapping[str, int], environ: Mapping[str, str]
) -> Prepare:
    return lambda: plan_service(name, layout, addresses, ports, environ)
