"""Keys: one's own, and an operator's view of all."""

from aml.gateway.keys.bodies import KeyOrder, KeyRevocation
from aml.gateway.keys.views import KeyEnded, KeyFiles, KeyShown, Me

from .connection import Connection, segment


class KeyCalls:
    connection: Connection

    async def me(self) -> Me:
        return await self.connection.get("/me", Me)

    async def rotate_key(self) -> KeyShown:
        """The former text dies at once, also for this caller."""
        return await self.connection.post("/me/key/rotate", None, KeyShown)

    async def revoke_own_key(self, reason: str) -> KeyEnded:
        return await self.connection.post("/me/key/revoke", KeyRevocation(reason=reason), KeyEnded)

    async def keys(self, role: str | None = None, *, limit: int | None = None, offset: int | None = None) -> KeyFiles:
        return await self.connection.get("/operator/keys", KeyFiles, role=role, limit=limit, offset=offset)

    async def create_key(self, order: KeyOrder) -> KeyShown:
        return await self.connection.create("/operator/keys", order, KeyShown)

    async def revoke_key(self, key_id: str, reason: str) -> KeyEnded:
        order = KeyRevocation(reason=reason)
        return await self.connection.post(f"/operator/keys/{segment(key_id)}/revoke", order, KeyEnded)
