"""In what guise a page is visited: language, colours and window."""

from dataclasses import dataclass
from typing import Literal

from aml.contracts.vocabulary import Language

Scheme = Literal["light", "dark"]
Window = Literal["desktop", "phone"]

SIZES: dict[Window, tuple[int, int]] = {"desktop": (1280, 900), "phone": (390, 844)}


@dataclass(frozen=True)
class Look:
    language: Language = "en"
    scheme: Scheme = "light"
    window: Window = "desktop"

    def __str__(self) -> str:
        return f"{self.language}-{self.scheme}-{self.window}"

    def address(self, path: str) -> str:
        """Of the page at `path`, in English, in this look's language."""
        if self.language == "en":
            return path
        return path.replace("/board/", "/board/zh/", 1) if path.startswith("/board/") else f"/zh{path}".rstrip("/")


PLAIN = Look()
A_JOURNEY_EACH = (PLAIN, Look("zh", "dark", "phone"))
"""Between them every language, colour and window."""
