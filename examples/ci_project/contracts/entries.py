"""What the diary holds."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Entry:
    at: datetime | None
    text: str
