"""Which log an audit is made of: a local stack's, or one at an address; and how its evidence is opened."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from aml.rules.checkpoint import NoteInvalid, VerifierKey
from aml.rules.verify import parse_keys
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.settings import EvidenceSettings, read_settings
from aml.toolkit.evaluation.stack_lease import lease_stack
from aml.toolkit.local import LocalStack

from .errors import SourceUnreadable


class AuditedLog(Struct, frozen=True, kw_only=True):
    url: str
    board_url: str | None
    key_file: Path | None
    """Where the log's key lies on this machine; None for a log elsewhere, which shows its own."""
    evidence_url: str | None = None
    kek_file: Path | None = None

    def evidence(self, environ: Mapping[str, str]) -> EvidenceStore:
        """The local stack's, or the one that `environ` names.

        Raises `SettingsError` where none is named, or its key is unusable.
        """
        if self.evidence_url is not None and self.kek_file is not None:
            return EvidenceStore(object_store(self.evidence_url), KeyEncryptionKey.from_file(self.kek_file))
        settings = read_settings(_EvidenceOnly, environ).evidence
        return EvidenceStore(object_store(settings.url), KeyEncryptionKey.from_file(settings.kek_file))


class _EvidenceOnly(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings


@contextmanager
def audited_log(url: str | None, home: Path) -> Iterator[AuditedLog]:
    """Without an address the local stack's, which is started if none runs, and then stopped again."""
    if url is not None:
        yield AuditedLog(url=url, board_url=f"{url.rstrip('/')}/board", key_file=None)
        return
    stack = LocalStack(home)
    if not stack.layout.verifiers_file.exists():
        raise SourceUnreadable(str(home), "holds no log yet; --home names another data folder, --url a log elsewhere")
    with lease_stack(stack, keep=False) as lease:
        info = lease.info
        yield AuditedLog(
            url=f"http://127.0.0.1:{info.ports['ledger']}",
            board_url=f"{info.portal}/board",
            key_file=stack.layout.verifiers_file,
            evidence_url=stack.layout.evidence.as_uri(),
            kek_file=stack.layout.kek_file,
        )


def read_key_file(path: Path) -> tuple[VerifierKey, ...]:
    """Raises `SourceUnreadable`."""
    try:
        return parse_keys(path.read_text("utf-8"))
    except OSError as error:
        raise SourceUnreadable(str(path), f"cannot be read ({error.strerror})") from None
    except (NoteInvalid, UnicodeDecodeError) as error:
        raise SourceUnreadable(str(path), f"holds no verifier key: {error}") from None
