"""Where the examples happen: one moment, one job of one release, one sample with a chunk and a question."""

import hashlib

from aml.contracts.envelope import EvidenceRef

AT = 1_780_000_000_000
JOB = "job-7c1f"
RELEASE_ID = "practice-1"


def a_digest(seed: str = "") -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def a_ref(seed: str = "payload", size: int = 64) -> EvidenceRef:
    return EvidenceRef(digest=a_digest(seed), size=size, media_type="application/json")


SAMPLE = a_digest("sample")[:20]
QUESTION = a_digest("question")[:20]
CHUNK = a_digest("chunk")[:20]
