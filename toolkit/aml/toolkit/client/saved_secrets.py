"""Keys and tokens that a caller asked to be kept: one file each in a folder of one's own, readable by nobody else.

<folder>/<host>_<port>/key               the Leaderboard API Key for that platform
<folder>/<host>_<port>/<id>.token        the claim token of an application, or the token of a proposal
"""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from aml.ledger.durable_file import replace_private_file
from aml.toolkit.evaluation.errors import WrongUsage

MAX_SECRET_BYTES = 4096
_ID = re.compile(r"[A-Za-z0-9_-]{1,200}\Z")


class SavedSecrets(Struct, frozen=True):
    """Pure names; `save_secret` makes the folders."""

    folder: Path

    def key_file(self, platform: str) -> Path:
        return self._of(platform) / "key"

    def token_file(self, platform: str, name: str) -> Path:
        """Raises `WrongUsage` for what is no id."""
        if not _ID.match(name):
            raise WrongUsage("id", "is none that the platform gives; letters, digits, - and _ make one")
        return self._of(platform) / f"{name}.token"

    def _of(self, platform: str) -> Path:
        place = re.sub(r"[^A-Za-z0-9._-]", "_", urlsplit(platform).netloc.rpartition("@")[2])
        return self.folder / (place.lstrip(".") or "platform")


def read_secret(file: Path, option: str) -> str:
    """The file's one line. Raises `WrongUsage`, which repeats nothing of it."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_SECRET_BYTES + 1)
    except OSError as error:
        raise WrongUsage(option, f"{file} cannot be read ({error.strerror})") from None
    try:
        text = content.decode("ascii").strip()
    except UnicodeDecodeError:
        text = ""
    if not text or len(content) > MAX_SECRET_BYTES or len(text.split()) != 1:
        raise WrongUsage(option, f"{file} holds no key; it is one line of one word")
    return text


def require_free(file: Path, option: str) -> None:
    """Raises `WrongUsage`: a key that is kept already may be the only copy there is."""
    if file.exists():
        raise WrongUsage(option, f"{file} holds a secret already; move it away first")


def save_secret(file: Path, text: str) -> None:
    """Raises `OSError`."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_private_file(file, text + "\n", mode=0o600)


def can_save(file: Path, option: str) -> None:
    """Raises `WrongUsage`; asked before anything that is shown only once is called for."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUsage(option, f"{file.parent} cannot be made ({error.strerror})") from None
    if not os.access(file.parent, os.W_OK):
        raise WrongUsage(option, f"{file.parent} cannot be written to")
