"""`aml audit verify`: a bundle is verified with nothing but itself and the key that its reader kept."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from aml.rules.checkpoint import NoteInvalid
from aml.rules.verify import AuditReport, parse_keys, verify_bundle
from aml.rules.verify.report_lines import report_lines
from aml.toolkit.evaluation.errors import WrongUsage

from .audit_options import Bundle, OutcomeFile
from .opened_bundle import OpenedBundle
from .output_file import check_output, write_json


def verify(
    bundle: Bundle,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The log's verifier key.")],
    previous: Annotated[
        Path | None, typer.Option("--previous", metavar="FILE", help="An older checkpoint of this log, kept by you.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", metavar="FILE", help="Your tlog-policy; without it the bundle's.")
    ] = None,
    json: OutcomeFile = None,
) -> None:
    """Verify a bundle with no network, no database and no trust in the server.

    Exit codes: 0 verified, 1 refused, 2 nothing that could be verified.
    """
    check_output("--json", json)
    report = _verified(bundle, key, previous, policy)
    for line in report_lines(report):
        typer.echo(line)
    write_json(json, report)
    raise typer.Exit(0 if report.verified else 1)


def _verified(bundle: Path, key: Path, previous: Path | None, policy: Path | None) -> AuditReport:
    try:
        keys = parse_keys(_text("--key", key))
    except NoteInvalid as error:
        raise WrongUsage("--key", f"{key} is no verifier key: {error.problem}") from None
    older = None if previous is None else _text("--previous", previous)
    trusted = None if policy is None else _text("--policy", policy)
    with OpenedBundle(bundle) as archive:
        now_s = int(datetime.now(UTC).timestamp())
        return verify_bundle(archive.files, keys, previous=older, policy=trusted, now_s=now_s)


def _text(option: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(1_000_001).decode("utf-8")
    except OSError as error:
        raise WrongUsage(option, f"{path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise WrongUsage(option, f"{path} is not text") from None
