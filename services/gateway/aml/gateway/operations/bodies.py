"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from aml.contracts.envelope import MAX_INTEGER, Digest, Token
from aml.contracts.jobs import Seed
from aml.contracts.participant import AuthScheme
from aml.contracts.vocabulary import Arm, Track
from aml.gateway.access.bodies import Endpoints
from aml.gateway.edge.text_bounds import Concurrency, Name


class RunDataset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Token
    adapter: Token
    version: Name
    sha256: Digest
    limit: Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None = None
    sample_seed: Seed = 0


class RunOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An operator's own run. `full` is for the baseline arms, on the release's own datasets."""

    system: Name
    version: Name = "1"
    arm: Arm = "participant"
    mode: Literal["run", "full"] = "run"
    track: Track = "textual"
    endpoints: Endpoints | None = None
    auth: AuthScheme = "none"
    memory_system_key: str | None = None
    datasets: tuple[RunDataset, ...] = ()
    release_id: Token | None = None
    run_label: Name
    add_concurrency: Concurrency = 4
    search_concurrency: Concurrency = 16
    allow_private: bool = False
