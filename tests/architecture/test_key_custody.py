"""Who can open a memory system key: ingest and retrieval, and no other service."""

import ast
from pathlib import Path

import pytest
from tests.architecture.source_tree import ROOT

from aml.runtime.vault import KeyDeposit, Vault

MAY_OPEN = {"ingest", "retrieval"}
SERVICES = sorted(path.name for path in (ROOT / "services").iterdir() if path.is_dir())


def imported_by(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_what_is_deposited_cannot_be_taken_out() -> None:
    public = {name for name in dir(KeyDeposit) if not name.startswith("_")}

    assert public == {"seal", "destroy"}
    assert {name for name in dir(Vault) if not name.startswith("_")} - public == {"open", "reseal"}


@pytest.mark.parametrize("service", [service for service in SERVICES if service not in MAY_OPEN])
def test_the_other_services_have_no_vault(service: str) -> None:
    openers = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "services" / service).rglob("*.py")
        if imported_by(path) & {"Vault", "Participants"}
    ]
    assert openers == []


def test_the_gateway_opens_nothing_of_the_vaults_purpose() -> None:
    """It holds the key-encryption key for other things, so the purpose that the vault seals for must not occur in it."""
    sealed_for = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "services" / "gateway").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value == b"vault"
    ]
    assert sealed_for == []


@pytest.mark.parametrize("service", sorted(MAY_OPEN))
def test_the_two_that_call_participants_do(service: str) -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "services" / service).rglob("bootstrap.py"))
    assert "Vault(" in source
