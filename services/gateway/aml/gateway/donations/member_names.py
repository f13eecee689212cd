"""Names inside of a package that mean the same on every machine, and lead nowhere but into its own folder."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from .package_report import PackageLimits, PackageRefused

_DRIVE: Final = re.compile(r"[A-Za-z]:")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
"""Reserved on Windows, with any suffix."""
_FORBIDDEN: Final = frozenset('<>:"|?*')
ARCHIVES: Final = frozenset(
    f".{suffix}"
    for suffix in [
        "zip",
        "jar",
        "tar",
        "gz",
        "tgz",
        "bz2",
        "tbz",
        "xz",
        "txz",
        "lzma",
        "7z",
        "rar",
        "zst",
        "lz4",
        "br",
        "z",
        "cab",
        "iso",
        "dmg",
        "deb",
        "rpm",
        "whl",
        "egg",
    ]
)


def check_names(names: Iterable[str], limits: PackageLimits) -> None:
    """Raises `PackageRefused`. A name that ends in `/` is a folder."""
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        check_name(name, limits)
        path = name.removesuffix("/")
        folded = fold_name(path)
        if folded in files or (not name.endswith("/") and folded in folders):
            raise PackageRefused(f"{shown(name)} is there twice, or differs from another name only in case or accents")
        if name.endswith("/"):
            folders[folded] = path
        else:
            files[folded] = path
        for parent in PurePosixPath(path).parents:
            spelled = str(parent)
            if spelled == ".":
                continue
            if fold_name(spelled) in files:
                raise PackageRefused(f"{shown(spelled)} is a file and a folder at once")
            if folders.setdefault(fold_name(spelled), spelled) != spelled:
                raise PackageRefused(f"{shown(spelled)} is spelled in two ways that some machines take for one")


def check_name(name: str, limits: PackageLimits) -> None:
    """Raises `PackageRefused`."""
    if not name or len(name) > limits.name_chars:
        raise PackageRefused(f"has a member whose name is empty or longer than {limits.name_chars} characters")
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in name):
        raise PackageRefused(f"{shown(name)}: the name has a control or direction character")
    if "\\" in name:
        raise PackageRefused(f"{shown(name)}: the name has a backslash; separate folders with /")
    if name.startswith("/") or _DRIVE.match(name):
        raise PackageRefused(f"{shown(name)}: the name is an absolute path")
    parts = name.removesuffix("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise PackageRefused(f"{shown(name)}: the path has an empty part, `.` or `..`")
    for part in parts:
        if _FORBIDDEN.intersection(part) or part != part.strip() or part.endswith(".") or _DEVICE.fullmatch(part):
            raise PackageRefused(f"{shown(name)}: some machines cannot hold a file of this name")
    if PurePosixPath(parts[-1]).suffix.lower() in ARCHIVES:
        raise PackageRefused(f"{shown(name)}: is an archive inside of the archive; send its files themselves")


def fold_name(path: str) -> str:
    """Equal for names that some file system takes for the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def shown(name: str) -> str:
    return ascii(name[:80])
