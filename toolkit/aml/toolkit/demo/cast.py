"""Who takes part in the demo: two small memory systems that apply for access, and the three baseline arms beside them."""

from typing import Final

from msgspec import Struct

from aml.contracts.vocabulary import Arm
from aml.gateway.access.bodies import AccessApplication, Capacity, Disclosure
from aml.gateway.access.bodies import Endpoints as OrderedEndpoints
from aml.gateway.jobs.bodies import Checklist
from aml.toolkit.evaluation.system_choice import Endpoints

ADD_CONCURRENCY: Final = 16
SEARCH_CONCURRENCY: Final = 32

CONFIRMED: Final = Checklist(
    smoke_passed=True,
    contract_followed=True,
    run_instructions_complete=True,
    originality_disclosed=True,
    no_integrity_violations=True,
)


class Contender(Struct, frozen=True, kw_only=True):
    """A real process with Add and Search."""

    example: str
    system: str
    repository: str
    original_works: str


class Baseline(Struct, frozen=True, kw_only=True):
    """What a score must be read beside. It calls nobody: the platform makes the memories itself."""

    arm: Arm
    system: str


CONTENDERS: Final = (
    Contender(
        example="fts5",
        system="SQLite FTS5",
        repository="this repository, examples/aml/examples/fts5.py",
        original_works="SQLite's full-text search (FTS5) with its BM25 ranking",
    ),
    Contender(
        example="bm25s",
        system="bm25s",
        repository="this repository, examples/aml/examples/bm25s_memory.py",
        original_works="the bm25s library, an implementation of Okapi BM25",
    ),
)

BASELINES: Final = (
    Baseline(arm="no_memory", system="No memory"),
    Baseline(arm="full_context", system="Full context"),
    Baseline(arm="oracle", system="Oracle evidence"),
)

SYSTEMS: Final = tuple(each.system for each in (*CONTENDERS, *BASELINES))


def application_of(contender: Contender, endpoints: Endpoints, *, version: str) -> AccessApplication:
    return AccessApplication(
        contact="demo@example.org",
        organisation=f"{contender.system} example",
        system=contender.system,
        version=version,
        track="textual",
        division="open_source",
        endpoints=OrderedEndpoints(
            add_url=endpoints.add_url, search_url=endpoints.search_url, health_url=endpoints.health_url
        ),
        capacity=Capacity(max_add_concurrency=ADD_CONCURRENCY, max_search_concurrency=SEARCH_CONCURRENCY),
        public_display_consent=True,
        disclosure=Disclosure(repository=contender.repository, commit=version, original_works=contender.original_works),
    )
