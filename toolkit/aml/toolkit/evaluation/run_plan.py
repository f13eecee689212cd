"""What one `aml run` is asked to do, and the order to the platform that follows from it. Pure."""

from datetime import datetime

from msgspec import Struct

from aml.gateway.access.bodies import Endpoints as OrderedEndpoints
from aml.gateway.operations.bodies import RunDataset, RunOrder
from aml.runtime.secret import Secret

from .auth_choice import AuthChoice
from .dataset_choice import DatasetChoice
from .place_bundle import PlacedBundle
from .run_record import SystemShown
from .system_choice import Endpoints, SystemChoice


class RunPlan(Struct, frozen=True, kw_only=True):
    system: SystemChoice
    auth: AuthChoice
    key: Secret | None
    datasets: tuple[DatasetChoice, ...]
    limit: int | None
    """Questions of each dataset; None for all."""
    sample_seed: int
    add_concurrency: int
    search_concurrency: int
    release_id: str
    label: str


def default_label(now: datetime, suffix: str) -> str:
    """Labels are unique for a system; `suffix` tells two runs of one second apart."""
    return f"{now:%Y-%m-%d %H:%M:%S} UTC {suffix}"


def shown_system(plan: RunPlan, endpoints: Endpoints) -> SystemShown:
    return SystemShown(
        label=plan.system.label,
        add_url=endpoints.add_url,
        search_url=endpoints.search_url,
        health_url=endpoints.health_url,
        auth=plan.auth.scheme,
    )


def order_of(plan: RunPlan, endpoints: Endpoints, bundles: tuple[PlacedBundle, ...]) -> RunOrder:
    return RunOrder(
        system=plan.system.label,
        arm="participant",
        mode="run",
        endpoints=OrderedEndpoints(
            add_url=endpoints.add_url, search_url=endpoints.search_url, health_url=endpoints.health_url
        ),
        auth=plan.auth.scheme,
        memory_system_key=None if plan.key is None else plan.key.reveal(),
        datasets=tuple(
            RunDataset(
                name=bundle.name,
                adapter=bundle.adapter,
                version="1",
                sha256=bundle.sha256,
                limit=plan.limit,
                sample_seed=plan.sample_seed,
            )
            for bundle in bundles
        ),
        release_id=plan.release_id,
        run_label=plan.label,
        add_concurrency=plan.add_concurrency,
        search_concurrency=plan.search_concurrency,
        allow_private=True,  # one's own system, on one's own machine
    )
