"""Openings against the commitments that the log cites: the payloads are those that were there when it happened."""

from collections.abc import Mapping, Sequence

import msgspec

from aml.contracts.audit import Opening
from aml.contracts.packs import VerdictRecord
from aml.rules.bundle_archive import BundleFiles
from aml.rules.bundle_layout import OPENINGS
from aml.rules.commitment import commit

from .citations import Citation
from .findings import Findings

_opening = msgspec.json.Decoder(Opening)
_verdict = msgspec.json.Decoder(VerdictRecord)


def check_openings(
    files: BundleFiles, cited: Mapping[str, Mapping[str, Sequence[Citation]]], findings: Findings
) -> None:
    pages = sorted(name for name in files if name.startswith(OPENINGS))
    if not pages:
        findings.skipped("openings", "the bundle opens no evidence")
        return
    seen: set[str] = set()
    for page in pages:
        job_id = page.split("/")[1]
        for number, line in enumerate(files[page].splitlines(), 1):
            _check(line, f"{page}:{number}", job_id, cited.get(job_id, {}), seen, findings)
    total = sum(len(each) for each in cited.values())
    findings.passed("openings", f"{len(seen):,} of {total:,} commitments opened")


def _check(
    line: bytes, place: str, job_id: str, cited: Mapping[str, Sequence[Citation]], seen: set[str], findings: Findings
) -> None:
    try:
        opening = _opening.decode(line)
    except msgspec.DecodeError as error:
        findings.refuse("openings", "opening_malformed", f"{place} is no opening: {error}", job=job_id)
        return
    cited_by = cited.get(opening.digest)
    if not cited_by:
        problem = f"{place} opens {opening.digest}, which no entry of the job cites"
        findings.refuse("openings", "opening_uncited", problem, job=job_id)
        return
    if commit(bytes.fromhex(opening.nonce), opening.payload) != opening.digest:
        index = cited_by[0].index
        problem = f"{place} is not what entry {index} committed to"
        findings.refuse("openings", "opening_differs", problem, entry=index, job=job_id)
        return
    seen.add(opening.digest)
    for citation in cited_by:
        if (len(opening.payload), opening.media_type) != (citation.size, citation.media_type):
            code, problem = "opening_misdescribed", f"{place} has another size or type than entry {citation.index} says"
        elif citation.score is not None and not _says(opening.payload, citation):
            code, problem = "verdict_differs", f"{place} scores otherwise than entry {citation.index}"
        else:
            continue
        findings.refuse("openings", code, problem, entry=citation.index, job=job_id)


def _says(payload: bytes, citation: Citation) -> bool:
    try:
        verdict = _verdict.decode(payload)
    except msgspec.DecodeError:
        return False
    return (verdict.score, verdict.rule) == (citation.score, citation.rule)
