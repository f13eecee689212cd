"""A key's own view."""

from litestar import get

from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import Unauthenticated

from .key_queries import load_me
from .views import Me


@get("/me", summary="Whose key this is", guards=[ANY_ROLE])
async def read_me(parts: GivenParts, caller: GivenCaller) -> Me:
    async with parts.database.read() as connection:
        me = await load_me(connection, caller.key_id)
    if me is None:
        raise Unauthenticated("key_unknown")
    return me
