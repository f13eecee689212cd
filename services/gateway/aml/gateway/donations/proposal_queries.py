"""Proposals in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Insert, Select, Text, Update, func, insert, select, update

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_column, fetch_one, fetch_value, given
from aml.gateway.storage.tables import benchmark_proposal, proposal_decision

from .views import Decided, ProposalState


class ProposalRow(Struct, frozen=True, kw_only=True):
    proposal_id: str
    created_at: datetime
    proposal: bytes
    key_id: str | None
    token_hash: bytes
    state: ProposalState
    decisions: int
    package_sha256: str | None
    package_bytes: int | None
    package_name: str | None
    package_report: bytes | None
    package_file: str | None
    packaged_at: datetime | None


@cache
def insert_proposal() -> Insert:
    columns = ("proposal_id", "proposal", "key_id", "token_hash")
    return insert(benchmark_proposal).values({name: given(name) for name in columns})


async def add_proposal(
    connection: Connection, proposal_id: str, *, proposal: bytes, key_id: str | None, token_hash: bytes
) -> None:
    await execute(
        connection,
        insert_proposal(),
        proposal_id=proposal_id,
        proposal=proposal,
        key_id=key_id,
        token_hash=token_hash,
    )


@cache
def select_proposal(*, lock: bool = False) -> Select[Any]:
    statement = select(*benchmark_proposal.c[ProposalRow.__struct_fields__]).where(
        benchmark_proposal.c.proposal_id == given("proposal_id")
    )
    return statement.with_for_update() if lock else statement


async def load_proposal(connection: Connection, proposal_id: str, *, lock: bool = False) -> ProposalRow | None:
    return await fetch_one(connection, select_proposal(lock=lock), ProposalRow, proposal_id=proposal_id)


@cache
def select_proposal_page() -> Select[Any]:
    key_id, state = given("key_id", Text()), given("state", Text())
    return (
        select(*benchmark_proposal.c[ProposalRow.__struct_fields__])
        .where(
            key_id.is_(None) | (benchmark_proposal.c.key_id == key_id),
            state.is_(None) | (benchmark_proposal.c.state == state),
        )
        .order_by(benchmark_proposal.c.created_at, benchmark_proposal.c.proposal_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


async def load_proposal_page(
    connection: Connection, key_id: str | None, state: str | None, limit: int, offset: int
) -> list[ProposalRow]:
    """Oldest first; of all donors where `key_id` is None, in every state where `state` is None."""
    return await fetch_all(
        connection, select_proposal_page(), ProposalRow, key_id=key_id, state=state, limit=limit, offset=offset
    )


@cache
def update_package() -> Update:
    columns = ("package_sha256", "package_bytes", "package_name", "package_report", "package_file")
    return (
        update(benchmark_proposal)
        .values({name: given(name) for name in columns})
        .values(packaged_at=func.now())
        .where(benchmark_proposal.c.proposal_id == given("proposal_id"))
    )


async def set_package(
    connection: Connection, proposal_id: str, *, sha256: str, size: int, name: str, report: bytes, file: str
) -> None:
    await execute(
        connection,
        update_package(),
        proposal_id=proposal_id,
        package_sha256=sha256,
        package_bytes=size,
        package_name=name,
        package_report=report,
        package_file=file,
    )


@cache
def update_package_gone() -> Update:
    return (
        update(benchmark_proposal)
        .values(package_file=None)
        .where(benchmark_proposal.c.proposal_id == given("proposal_id"))
    )


async def forget_package_file(connection: Connection, proposal_id: str) -> None:
    """What is known of the package stays; the file is nobody's any more."""
    await execute(connection, update_package_gone(), proposal_id=proposal_id)


@cache
def select_package_files() -> Select[Any]:
    return select(benchmark_proposal.c.package_file).where(benchmark_proposal.c.package_file.is_not(None))


async def load_package_files(connection: Connection) -> set[str]:
    """The files that some row names."""
    return set(await fetch_column(connection, select_package_files()))


@cache
def insert_decision() -> Insert:
    columns = ("proposal_id", "number", "decision", "reason", "reviewer")
    return insert(proposal_decision).values({name: given(name) for name in columns})


@cache
def update_state() -> Update:
    return (
        update(benchmark_proposal)
        .values(state=given("state"), decisions=given("number"))
        .where(benchmark_proposal.c.proposal_id == given("proposal_id"))
    )


async def add_decision(
    connection: Connection, proposal_id: str, *, number: int, decision: str, reason: str, reviewer: str, state: str
) -> None:
    await execute(
        connection,
        insert_decision(),
        proposal_id=proposal_id,
        number=number,
        decision=decision,
        reason=reason,
        reviewer=reviewer,
    )
    await execute(connection, update_state(), proposal_id=proposal_id, number=number, state=state)


@cache
def select_decisions() -> Select[Any]:
    return (
        select(*proposal_decision.c[Decided.__struct_fields__])
        .where(proposal_decision.c.proposal_id == given("proposal_id"))
        .order_by(proposal_decision.c.number)
    )


async def load_decisions(connection: Connection, proposal_id: str) -> list[Decided]:
    return await fetch_all(connection, select_decisions(), Decided, proposal_id=proposal_id)


@cache
def select_open_proposals() -> Select[Any]:
    return select(func.count()).select_from(benchmark_proposal).where(benchmark_proposal.c.state == "submitted")


async def count_open_proposals(connection: Connection) -> int:
    return int(await fetch_value(connection, select_open_proposals()))
