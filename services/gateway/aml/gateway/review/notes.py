"""What reviewers tell one another about a result. No fact: it decides nothing and enters no log."""

from litestar import post
from litestar.params import FromPath, JSONBody

from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.storage.track_lock import lock_key_and_track

from .bodies import NoteOrder
from .review_queries import add_note
from .views import NoteRow


@post("/reviews/{job_id:str}/notes", summary="Add a note for the other reviewers", guards=[REVIEWERS])
async def write_note(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], data: JSONBody[NoteOrder]
) -> NoteRow:
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        await lock_key_and_track(connection, row.key_id, row.track)  # notes are numbered one after another
        return await add_note(connection, row.job_id, caller.key_id, data.text)
