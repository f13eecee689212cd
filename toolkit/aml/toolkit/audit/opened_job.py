"""A job as its bundle tells it: its entries, and the payloads behind them where they were opened."""

from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from aml.contracts.audit import Opening
from aml.contracts.envelope import EvidenceRef, JobFact
from aml.rules.bundle_archive import BundleFiles
from aml.rules.bundle_layout import CHECKPOINT, OPENINGS
from aml.rules.commitment import commit
from aml.rules.entry import EntryInvalid, ReadEntry, read_entry
from aml.rules.verify import BundleUnusable
from aml.rules.verify.bundle import read_manifest_of
from aml.rules.verify.entry_reading import entries_of
from aml.rules.verify.findings import Findings
from aml.rules.verify.head import read_head

from .errors import EvidenceClosed, NothingToExport

T = TypeVar("T")

_opening = msgspec.json.Decoder(Opening)


@dataclass(frozen=True)
class OpenedJob:
    job_id: str
    entries: tuple[ReadEntry, ...]
    payloads: dict[str, bytes] = field(default_factory=dict, repr=False)
    """Commitment to payload; each was held against its commitment."""

    def open(self, ref: EvidenceRef, shape: type[T]) -> T:
        """Raises `EvidenceClosed`."""
        payload = self.payloads.get(ref.digest)
        if payload is None:
            raise EvidenceClosed(self.job_id)
        return msgspec.json.decode(payload, type=shape)


def read_job(files: BundleFiles, job_id: str | None) -> OpenedJob:
    """`job_id` may be left out where the bundle holds one job. Raises `NothingToExport`, `BundleUnusable`."""
    manifest = read_manifest_of(files)
    wanted = job_id or _only(manifest.jobs)
    size = read_head(files[CHECKPOINT].decode()).size
    findings = Findings()
    entries = []
    mark = f'"job_id":"{wanted}"'.encode()
    for index, data in entries_of(files, manifest, size, findings):
        if mark in data:
            try:
                entry = read_entry(data)
            except EntryInvalid as error:
                raise BundleUnusable("entry_malformed", f"entry {index}: {error.problem}") from None
            if isinstance(entry.event, JobFact) and entry.event.job_id == wanted:
                entries.append(entry)
    if not entries:
        raise NothingToExport(f"the bundle holds no entry of job {wanted}")
    return OpenedJob(wanted, tuple(entries), _payloads(files, wanted))


def _only(jobs: tuple[str, ...]) -> str:
    if len(jobs) != 1:
        listed = f": {', '.join(jobs[:5])}" if jobs else ""
        raise NothingToExport(f"the bundle holds several jobs; name one with --job{listed}")
    return jobs[0]


def _payloads(files: BundleFiles, job_id: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for page in sorted(name for name in files if name.startswith(f"{OPENINGS}{job_id}/")):
        for number, line in enumerate(files[page].splitlines(), 1):
            try:
                opening = _opening.decode(line)
            except msgspec.DecodeError as error:
                raise BundleUnusable("opening_malformed", f"{page}:{number} is no opening: {error}") from None
            if commit(bytes.fromhex(opening.nonce), opening.payload) != opening.digest:
                raise BundleUnusable("opening_differs", f"{page}:{number} is not what the log committed to")
            found[opening.digest] = opening.payload
    return found
