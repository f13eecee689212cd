"""`aml projection rebuild`: a read model from the log's entries, compared with the one in use, and swapped."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import psycopg
import typer
from msgspec import Struct, field

from aml.gateway.read_model.rebuild import Rebuilt, Unlogged
from aml.runtime.settings import DatabaseSettings, NatsSettings, read_settings
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.evaluation.stack_lease import lease_stack
from aml.toolkit.evidence.place import LedgerAddress
from aml.toolkit.local import LocalStack
from aml.toolkit.projection.from_log import Compared, compare_publisher, rebuild_gateway

from .boundary import CommandFailed, ExitCode
from .stack import DEFAULT_HOME, Home

app = typer.Typer(
    help="Make a read model anew from the log. Of a local stack, or where AML_LEDGER_URL, AML_DATABASE_URL and"
    " AML_NATS_URL say.",
    no_args_is_help=True,
)
rebuild_app = typer.Typer(help="Compare with the log, or make anew from it.", no_args_is_help=True)
app.add_typer(rebuild_app, name="rebuild")


class _Place(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    ledger: LedgerAddress = field(default_factory=LedgerAddress)
    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)


@rebuild_app.command("gateway")
def gateway(
    compare_only: Annotated[
        bool, typer.Option("--compare-only", help="Change nothing; exit 3 on a difference.")
    ] = False,
    discard: Annotated[bool, typer.Option("--discard", help="Drop what the log does not hold.")] = False,
    home: Home = DEFAULT_HOME,
) -> None:
    """The gateway's: jobs' progress, units, results, boards. Filled beside the live tables, then swapped at once.

    The gateway goes on answering; folding waits for the swap.
    """

    async def perform(place: _Place) -> Rebuilt:
        async with LogSource(place.ledger.url) as source:
            return await rebuild_gateway(source, place.database, compare_only=compare_only, discard=discard)

    with _place(home) as place:
        try:
            done = asyncio.run(perform(place))
        except Unlogged as error:
            raise CommandFailed(str(error), ExitCode.BELOW_THRESHOLD) from None
        except psycopg.Error as error:
            raise CommandFailed(f"the database refused: {str(error).splitlines()[0]}; nothing was changed") from None
    typer.echo(f"read model {done.live_digest}\nfrom the log {done.logged_digest} ({done.entries} entries)")
    for each in done.differences:
        typer.echo(
            f"{each.table}: {each.only_live} rows only in the read model, {each.only_logged} only in the log"
            f" {' '.join(each.jobs)}".rstrip()
        )
    if done.swapped:
        typer.echo("swapped" if not done.same else "swapped; it was the same", err=True)
    elif not done.same:
        raise CommandFailed("the read model differs from the log; without --compare-only it is made anew", _DIFFERS)


@rebuild_app.command("publisher")
def publisher(home: Home = DEFAULT_HOME) -> None:
    """The publisher's, which it makes from the stream at each start: the log must lead to the same. Exit 3 if not."""

    async def perform(place: _Place) -> Compared:
        async with LogSource(place.ledger.url) as source:
            return await compare_publisher(source, place.nats)

    with _place(home) as place:
        done = asyncio.run(perform(place))
    typer.echo(f"from the stream {done.stream_digest}\nfrom the log {done.logged_digest}")
    if not done.same:
        raise CommandFailed("stream and log lead to different boards; the ledger fills a stream again", _DIFFERS)


_DIFFERS = ExitCode.BELOW_THRESHOLD


@contextmanager
def _place(home: Home) -> Iterator[_Place]:
    environ = os.environ  # noqa: TID251 - one reading, for an operator's machine
    if environ.get("AML_LEDGER_URL"):
        yield read_settings(_Place, environ)
        return
    with lease_stack(LocalStack(home), keep=False) as lease:
        addresses = lease.info.addresses
        yield _Place(
            ledger=LedgerAddress(url=f"http://127.0.0.1:{lease.info.ports['ledger']}"),
            database=DatabaseSettings(url=addresses.database_url, password_file=addresses.database_password_file),
            nats=NatsSettings(url=addresses.nats_url, token_file=addresses.nats_token_file),
        )
