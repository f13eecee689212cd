"""The audit bundle beside the board: what lets somebody check every row without the stack that made it."""

import asyncio
import shutil
from pathlib import Path

from msgspec import Struct

from aml.toolkit.audit.audit_source import read_key_file
from aml.toolkit.audit.export import ExportPlan, export
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.local import StackInfo
from aml.toolkit.local.home import Layout


class AuditTaken(Struct, frozen=True, kw_only=True):
    bundle: Path
    key: Path
    """The log's verifier key. Here it lies beside the bundle; an auditor keeps one of their own."""


def take_audit(info: StackInfo, folder: Path) -> AuditTaken:
    """Raises what `aml audit export` raises."""
    taken = AuditTaken(bundle=folder / "audit.zip", key=folder / "log.key")
    shutil.copyfile(Layout(info.home).verifiers_file, taken.key)
    asyncio.run(_export(info, taken))
    return taken


async def _export(info: StackInfo, taken: AuditTaken) -> None:
    ledger, board = f"http://127.0.0.1:{info.ports['ledger']}", f"{info.portal}/board"
    async with LogSource(ledger, board_url=board) as source:
        await export(source, ExportPlan(scope="board"), read_key_file(taken.key), taken.bundle, None)
