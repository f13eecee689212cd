"""Where a job's evidence lies in the store, and what a path in the store is."""

import re
from typing import Final

EVIDENCE: Final = "evidence/"
VAULT: Final = "vault/"

PACK: Final = ".pack"
MEMBER: Final = "#"
"""Between a pack's path and the digest of one of its members."""
_DATA_KEY: Final = "data-key"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_SHREDDED: Final = "shredded"


def job_folder(job_id: str) -> str:
    return f"{EVIDENCE}{job_id}/"


def key_path(job_id: str) -> str:
    return f"{job_folder(job_id)}{_DATA_KEY}"


def object_path(job_id: str, digest: str) -> str:
    """In a bucket. In a folder of this machine objects are records of packs (`evidence_packs`)."""
    return f"{job_folder(job_id)}{digest}"


def tombstone_path(job_id: str) -> str:
    """Written before a job's evidence is destroyed: from then on nobody makes the job a new key."""
    return f"{job_folder(job_id)}{_SHREDDED}"


def job_of(path: str) -> str | None:
    """The job that a path below `EVIDENCE` belongs to; None for another path."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and f"{parts[0]}/" == EVIDENCE else None


def digest_of(path: str) -> str | None:
    """The commitment that an object is addressed by; None for a key, a tombstone and what is no evidence."""
    parts = path.split("/")
    name = parts[-1].rpartition(MEMBER)[2]
    return name if len(parts) == 3 and f"{parts[0]}/" == EVIDENCE and _DIGEST.fullmatch(name) else None


def is_tombstone(path: str) -> bool:
    job_id = job_of(path)
    return job_id is not None and path == tombstone_path(job_id)
