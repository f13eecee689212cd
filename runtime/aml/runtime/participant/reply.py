"""What a participant answered, whole."""

import asyncio

from msgspec import Struct


class Reply(Struct, frozen=True, kw_only=True):
    status: int
    body: bytes
    retry_after: str | None
    place: asyncio.Semaphore | None = None
    """Of a large body: to be given back with `release` once it is no longer needed."""

    def release(self) -> None:
        if self.place is not None:
            self.place.release()
