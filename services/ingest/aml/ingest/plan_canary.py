"""Which samples get an isolation probe, and what it writes. Pure."""

import hashlib
from collections.abc import Collection

from aml.contracts.fair_play import Canary
from aml.contracts.participant import AddRequest, Message, SearchRequest
from aml.runtime.doctor.phrases import told


def choose_probed(job_id: str, sample_units: Collection[str], canaries: int) -> tuple[str, ...]:
    """Other samples in each job, and the same ones whenever a job is planned again."""
    return tuple(
        sorted(sample_units, key=lambda unit: hashlib.sha256(f"{job_id}\0{unit}".encode()).digest())[:canaries]
    )


def canary_beside(job_id: str, sample_unit: str, user_id: str, top_k: int) -> Canary:
    """Its user id looks like a sample's, and begins like the one under which it is searched for: a prefix is no border either."""
    fact = told(job_id, sample_unit, int(sample_unit[:4], 16))
    owner = f"{user_id}-{sample_unit[:4]}"
    return Canary(
        request=AddRequest(
            request_id=f"{owner}:chunk-0",
            messages=(Message(role="user", content=fact.text),),
            user_id=owner,
            session_id=f"{owner}:session-1",
        ),
        search=SearchRequest(query=fact.query, user_id=user_id, top_k=top_k),
        name=fact.name,
    )
