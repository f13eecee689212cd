"""Destroys a job's evidence: first the tombstone, then the key, then the objects, then the fact.

Interrupted anywhere, the same call finishes it. The tombstone keeps everybody from giving the job a key again, a rotation
that holds the old one included. The key goes before the objects: from then on nothing of them opens.
"""

import obstore
import obstore.exceptions
from obstore.store import ObjectStore

from aml.contracts.shredding import EvidenceShredded

from .bus import Bus
from .evidence import EvidenceUnavailable
from .evidence_listing import remove_objects, stored_objects
from .evidence_paths import job_folder, key_path, tombstone_path
from .publish_once import publish_once


async def shred(store: ObjectStore, bus: Bus, shredded: EvidenceShredded) -> int:
    """States `shredded` once nothing is left; returns how many objects this call destroyed.

    Only for a job that is over. Raises `EvidenceUnavailable`, or one of `bus.TRANSIENT_BUS_ERRORS`.
    """
    destroyed = await destroy(store, shredded.job_id)
    await publish_once(bus, shredded)
    return destroyed


async def destroy(store: ObjectStore, job_id: str) -> int:
    try:
        await obstore.put_async(store, tombstone_path(job_id), b"destroyed\n")
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(tombstone_path(job_id), type(error).__name__) from None
    await remove_objects(store, [key_path(job_id)])
    paths = [each.path async for each in stored_objects(store, below=job_folder(job_id))]
    if paths:
        await remove_objects(store, paths)
    return len([path for path in paths if path != key_path(job_id)])
