"""Applications for access, and the versions that came of them."""

from collections.abc import Mapping
from typing import Any

from aml.gateway.access.bodies import (
    AccessApplication,
    AccessApproval,
    AccessDecision,
    EndpointRecheck,
    MemoryKeyOrder,
    Withdrawal,
)
from aml.gateway.access.views import (
    AccessCreated,
    AccessDecided,
    AccessFiles,
    AccessState,
    EndpointCheck,
    Version,
    Versions,
)
from aml.gateway.keys.views import KeyShown

from .connection import Connection, segment


class AccessCalls:
    connection: Connection

    async def request_access(self, application: AccessApplication) -> AccessCreated:
        """With a participant's key the version is bound to it."""
        return await self.connection.create("/access-requests", application, AccessCreated)

    async def access_state(self, access_id: str) -> AccessState:
        """As the applicant: the caller's key is the claim token."""
        return await self.connection.get(f"/access-requests/{segment(access_id)}", AccessState)

    async def check_endpoints(self, access_id: str, memory_system_key: str | None = None) -> EndpointCheck:
        """As the applicant, or a reviewer."""
        order = EndpointRecheck(memory_system_key=memory_system_key)
        return await self.connection.post(f"/access-requests/{segment(access_id)}/check", order, EndpointCheck)

    async def claim(self, access_id: str) -> KeyShown:
        """As the applicant: the caller's key is the claim token. The key is shown once."""
        return await self.connection.post(f"/access-requests/{segment(access_id)}/claim", None, KeyShown)

    async def access_requests(
        self, state: str | None = None, *, limit: int | None = None, offset: int | None = None
    ) -> AccessFiles:
        return await self.connection.get("/access-requests", AccessFiles, state=state, limit=limit, offset=offset)

    async def approve(self, access_id: str, reason: str = "", *, override_reason: str = "") -> AccessDecided:
        """`override_reason` is needed where the last check of the endpoints did not pass."""
        order = AccessApproval(reason=reason, override_reason=override_reason)
        return await self.connection.post(f"/access-requests/{segment(access_id)}/approve", order, AccessDecided)

    async def decline(self, access_id: str, reason: str) -> AccessDecided:
        order = AccessDecision(reason=reason)
        return await self.connection.post(f"/access-requests/{segment(access_id)}/decline", order, AccessDecided)

    async def versions(self) -> Versions:
        return await self.connection.get("/versions", Versions)

    async def change_version(self, version_id: str, change: Mapping[str, Any]) -> Version:
        """The fields of a `VersionChange` that change."""
        return await self.connection.patch(f"/versions/{segment(version_id)}", change, Version)

    async def withdraw_version(self, version_id: str, reason: str) -> Version:
        return await self.connection.post(
            f"/versions/{segment(version_id)}/withdraw", Withdrawal(reason=reason), Version
        )

    async def replace_memory_key(self, version_id: str, order: MemoryKeyOrder) -> Version:
        return await self.connection.put(f"/versions/{segment(version_id)}/memory-system-key", order, Version)
