"""Whether a key may start another run on a track now: one at a time, a smoke before a full, and within the quotas."""

from aml.gateway.access.version_queries import VersionRow
from aml.gateway.errors import QuotaRefused, StateConflict
from aml.gateway.storage.database import Connection
from aml.rules.quota import QuotaExceeded, QuotaMode, check_quota
from aml.runtime.release_folder import LoadedRelease

from .quota_queries import load_runs, load_smoke_passed
from .run_label import label_key
from .submit_job import label_taken


async def require_free(
    connection: Connection, version: VersionRow, mode: QuotaMode, release: LoadedRelease, *, run_label: str
) -> None:
    """The caller holds the key and track (`runnable_version`), so that no second order decides meanwhile.

    Raises `StateConflict` for an active job, a taken label or a missing smoke, `QuotaRefused` for what must wait.
    """
    runs = await load_runs(
        connection,
        version.key_id,
        version.track,
        release.release.release_id,
        version_id=version.version_id,
        run_label_key=label_key(run_label),
    )
    if runs.active_job_id is not None:
        message = f"job {runs.active_job_id} of this key and track is still active"
        raise StateConflict("job_active", message, job_id=runs.active_job_id)
    if runs.label_taken:
        raise label_taken()
    if mode == "full" and not await load_smoke_passed(connection, version.version_id):
        raise StateConflict("smoke_missing", "no smoke run of this very version passed; run one first")
    try:
        check_quota(mode, runs.past, release.release.quotas, runs.now)
    except QuotaExceeded as exceeded:
        raise QuotaRefused(exceeded) from None
