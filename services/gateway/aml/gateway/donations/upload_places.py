"""Places for packages that are being received: few in all, and fewer for one address, so that nobody holds them all."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

from aml.gateway.errors import MustWait, Unavailable

MAX_UPLOADS: Final = 32
"""At once, in one process. A slow sender holds a place for `UPLOAD_SECONDS` at most."""
MAX_OF_ADDRESS: Final = 4
_AGAIN_SECONDS: Final = 10.0


class UploadPlaces:
    def __init__(self, places: int = MAX_UPLOADS, of_address: int = MAX_OF_ADDRESS) -> None:
        self._places = places
        self._of_address = of_address
        self._held: Counter[bytes] = Counter()

    @contextlib.contextmanager
    def hold(self, address: bytes) -> Iterator[None]:
        """Raises `Unavailable` where all are taken, `MustWait` where the address has its share."""
        if self._held[address] >= self._of_address:
            problem = f"{self._of_address} packages from your address are being received already"
            raise MustWait("uploads_of_address", problem, _AGAIN_SECONDS)
        if self._held.total() >= self._places:
            raise Unavailable("uploads_busy", f"{self._places} packages are being received already")
        self._held[address] += 1
        try:
            yield
        finally:
            self._held[address] -= 1
            self._held += Counter()  # forgets who holds nothing
