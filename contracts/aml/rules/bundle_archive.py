"""The archive around a bundle: a plain ZIP, read member by member and never unpacked, so that nothing is ever written.

Whatever a hostile archive says of itself is bounded before it is believed: the number of members, the declared sizes, the
ratio of a member to its compressed form, and the bytes that come out.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import IO, Final, Protocol, Self

MAX_MEMBERS: Final = 60_000
"""Tiles and entry files of a log of some 7 million entries."""
MAX_MEMBER_BYTES: Final = 64 << 20
MAX_TOTAL_BYTES: Final = 16 << 30
MAX_DIRECTORY_BYTES: Final = 32 << 20
MAX_RATIO: Final = 200
"""Entries shrink to a fifth; only what was made to explode shrinks to a two-hundredth."""
_RATIO_COUNTS_FROM: Final = 1 << 20
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_END_RECORD: Final = struct.Struct("<4s4H2LH")
_END_MARK: Final = b"PK\x05\x06"
_LONGEST_END: Final = _END_RECORD.size + 0xFFFF


class ArchiveInvalid(Exception):
    """Not an archive, not a whole one, or not one that may be read. `code` is stable; `problem` is one line."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem


class BundleFiles(Protocol):
    """A bundle's members by name; a dict will do."""

    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, name: str, /) -> bytes: ...


class BundleArchive:
    """`BundleFiles` over an open archive. Raises `ArchiveInvalid`, here for its directory and on reading for a member."""

    def __init__(self, file: IO[bytes]) -> None:
        _check_end(file)
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error) as error:
            raise ArchiveInvalid("archive_damaged", f"the archive's directory is damaged ({error})") from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        total = 0
        for member in self._zip.infolist():
            _check_member(member)
            if member.filename in self._members:
                raise ArchiveInvalid("duplicate_member", f"the archive holds {_shown(member.filename)} twice")
            self._members[member.filename] = member
            total += member.file_size
        if total > MAX_TOTAL_BYTES:
            raise ArchiveInvalid("archive_too_large", f"the archive would unpack to {total:,} bytes")

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __getitem__(self, name: str) -> bytes:
        member = self._members[name]
        try:
            with self._zip.open(member) as stream:
                data = stream.read(member.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, struct.error) as error:
            raise ArchiveInvalid("member_damaged", f"{_shown(name)} is damaged ({error or 'cut short'})") from None
        if len(data) != member.file_size:
            raise ArchiveInvalid("member_damaged", f"{_shown(name)} has another length than the directory says")
        return data


class ArchiveWriter:
    """The same members in the same order give the same bytes (with the same zlib): no clock, no owner, no mode."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def add(self, name: str, data: bytes) -> None:
        member = zipfile.ZipInfo(name, _EPOCH)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.create_system = 3
        member.external_attr = 0o100644 << 16
        self._zip.writestr(member, data)

    def add_all(self, members: Iterable[tuple[str, bytes]]) -> None:
        for name, data in members:
            self.add(name, data)


def _check_end(file: IO[bytes]) -> None:
    """What the directory claims, before `zipfile` reads all of it into memory."""
    length = file.seek(0, 2)
    file.seek(max(0, length - _LONGEST_END))
    tail = file.read(_LONGEST_END)
    at = tail.rfind(_END_MARK)
    if at < 0 or at + _END_RECORD.size > len(tail):
        file.seek(0)
        if file.read(4) == b"PK\x03\x04":
            raise ArchiveInvalid("archive_truncated", "the archive is cut short: its directory at the end is missing")
        raise ArchiveInvalid("not_an_archive", "this is no ZIP archive, so it is no bundle")
    _, _, _, _, members, directory_bytes, offset, _ = _END_RECORD.unpack_from(tail, at)
    if members > MAX_MEMBERS or directory_bytes > MAX_DIRECTORY_BYTES:
        raise ArchiveInvalid("too_many_members", f"the archive says that it holds {members:,} members or more")
    if offset != 0xFFFFFFFF and offset + directory_bytes > length:
        raise ArchiveInvalid("archive_truncated", "the archive is cut short")
    file.seek(0)


def _check_member(member: zipfile.ZipInfo) -> None:
    name, shown = member.filename, _shown(member.filename)
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in parts[0] or not {"", ".", ".."}.isdisjoint(parts):
        raise ArchiveInvalid("path_climbs", f"the archive holds {shown}, which is no path inside of it")
    if not name.isascii() or not name.isprintable() or member.orig_filename != name:
        raise ArchiveInvalid("path_unreadable", f"the archive holds {shown}, which is no name of a bundle")
    kind = member.external_attr >> 28
    if kind not in (0, 0o10):
        raise ArchiveInvalid("not_a_file", f"{shown} is a link or a device; a bundle holds plain files")
    if member.flag_bits & 1:
        raise ArchiveInvalid("encrypted", f"{shown} is encrypted; a bundle is not")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveInvalid("compression_unknown", f"{shown} is compressed in a way that bundles are not")
    if member.file_size > MAX_MEMBER_BYTES:
        raise ArchiveInvalid("zip_bomb", f"{shown} would unpack to {member.file_size:,} bytes")
    if member.file_size > _RATIO_COUNTS_FROM and member.file_size > MAX_RATIO * max(1, member.compress_size):
        ratio = member.file_size // max(1, member.compress_size)
        raise ArchiveInvalid("zip_bomb", f"{shown} would unpack to {ratio} times its size: a zip bomb")


def _shown(name: str) -> str:
    return ascii(name if len(name) <= 80 else f"{name[:77]}...")
