"""What everybody may read."""

from aml.gateway.public.views import ReleaseList

from .connection import Connection


class PublicCalls:
    connection: Connection

    async def releases(self) -> ReleaseList:
        return await self.connection.get("/releases", ReleaseList)

    async def board_file(self, name: str) -> bytes | None:
        """A file of the public board, e.g. `board.json`; None while it is not there."""
        return await self.connection.public_file(f"/board/{name}")
