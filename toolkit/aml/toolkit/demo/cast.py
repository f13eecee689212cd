"""Who takes part in the demo: two small memory systems that apply for access, and the three baseline arms beside them."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
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
    module: str
    """Its source's hash stands where a participant names a commit."""
    original_works: str


class Baseline(Struct, frozen=True, kw_only=True):
    """What a score must be read beside. It calls nobody: the platform makes the memories itself."""

    arm: Arm
    system: str


CONTENDERS: Final = (
    Contender(
        example="fts5",
        system="SQLite FTS5",
        repository="https://example.org/agent-memory-leaderboard/examples/aml/examples/fts5.py",
        module="aml.examples.fts5",
        original_works="SQLite's full-text search (FTS5) with its BM25 ranking",
    ),
    Contender(
        example="bm25s",
        system="bm25s",
        repository="https://example.org/agent-memory-leaderboard/examples/aml/examples/bm25s_memory.py",
        module="aml.examples.bm25s_memory",
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
        description=f"A small example memory on {contender.original_works}.",
        run_instructions="Runs beside the demo and ends with it; it keeps what it is sent in a temporary folder.",
        disclosure=Disclosure(
            repository=contender.repository,
            commit=source_hash(contender.module),
            original_works=contender.original_works,
            method_changes="none",
        ),
    )


def source_hash(module: str) -> str:
    """SHA-256 of the module's file."""
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
