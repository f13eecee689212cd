"""Where the evidence, its key, its log and the broker are: a local stack's, or those that `AML_*` variables name."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field
from obstore.store import ObjectStore

from aml.runtime.evidence import object_store
from aml.runtime.settings import EvidenceSettings, NatsSettings, read_settings
from aml.toolkit.evaluation.stack_lease import lease_stack
from aml.toolkit.local import LocalStack
from aml.toolkit.local.errors import LocalStackError


class LedgerAddress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str = "http://127.0.0.1:8005"


class EvidencePlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings
    nats: NatsSettings = field(default_factory=NatsSettings)
    ledger: LedgerAddress = field(default_factory=LedgerAddress)

    @property
    def store(self) -> ObjectStore:
        return object_store(self.evidence.url)


class HomeWithoutEvidence(LocalStackError):
    def __init__(self, home: Path) -> None:
        super().__init__(f"{home} holds no evidence yet; --home names another data folder, AML_EVIDENCE_URL a store")
        self.home = home


def named_place(home: Path, environ: Mapping[str, str]) -> EvidencePlace:
    """Needs nothing that runs: for what concerns the store and its key alone. Raises `SettingsError`, `HomeWithoutEvidence`."""
    if environ.get("AML_EVIDENCE_URL"):
        return read_settings(EvidencePlace, environ)
    layout = LocalStack(home).layout
    if not layout.kek_file.exists():
        raise HomeWithoutEvidence(home)
    return EvidencePlace(evidence=EvidenceSettings(url=layout.evidence.as_uri(), kek_file=layout.kek_file))


@contextmanager
def running_place(home: Path, environ: Mapping[str, str]) -> Iterator[EvidencePlace]:
    """With the log and the broker: a local stack is started if none runs, and then stopped again."""
    place = named_place(home, environ)
    if environ.get("AML_EVIDENCE_URL"):
        yield place
        return
    with lease_stack(LocalStack(home), keep=False) as lease:
        info = lease.info
        yield EvidencePlace(
            evidence=place.evidence,
            nats=NatsSettings(url=info.addresses.nats_url, token_file=info.addresses.nats_token_file),
            ledger=LedgerAddress(url=f"http://127.0.0.1:{info.ports['ledger']}"),
        )
