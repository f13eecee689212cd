"""A zip archive, read without being extracted: its directory first, then each member inflated to its end and thrown away.

Nothing that the archive says of itself is believed where it can be counted: sizes are those that came out, and a member is
read from the place and over the length that the directory names, which no other member may share. Sources: PKWARE APPNOTE
6.3.10 §4.3–4.4; D. Fifield, A better zip bomb, 2019 (overlapping members).
"""

import stat
import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO, Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from .member_names import check_names, shown
from .package_report import PackageLimits, PackageRefused

_END: Final = struct.Struct("<4s4H2LH")
_END_MARK: Final = b"PK\x05\x06"
_ZIP64_LOCATOR: Final = b"PK\x06\x07"
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_LOCAL_MARK: Final = b"PK\x03\x04"
_MAX_COMMENT: Final = 0xFFFF
_DIRECTORY_BYTES_A_MEMBER: Final = 1024
_STORED, _DEFLATED = 0, 8
_ENCRYPTED_FLAGS: Final = 0x1 | 0x40 | 0x2000
_PIECE: Final = 64 * 1024

_ARCHIVE_MARKS: Final = (
    *(_LOCAL_MARK, _END_MARK, b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"),
    *(b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"MSCF", b"!<arch>\n"),
)
_LONGEST_MARK: Final = 262
"""A tar's mark stands at byte 257."""


class Budget:
    """Of inflated bytes, over all members."""

    def __init__(self, limits: PackageLimits) -> None:
        self.limits = limits
        self.spent = 0

    def spend(self, size: int) -> None:
        self.spent += size
        if self.spent > self.limits.total_bytes:
            raise PackageRefused(f"inflates to more than {self.limits.total_bytes} bytes")


def read_directory(file: BinaryIO, size: int, limits: PackageLimits) -> list[ZipInfo]:
    """The members that are files, in the order in which they lie. Raises `PackageRefused`."""
    _check_end(file, size, limits)
    try:
        with ZipFile(file) as archive:  # reads the directory alone, whose size was bounded above
            members = archive.infolist()
    except (BadZipFile, UnicodeDecodeError, struct.error, ValueError, OSError, NotImplementedError):
        raise PackageRefused("is no whole zip archive") from None
    if len(members) > limits.members:
        raise PackageRefused(f"has more than {limits.members} members")
    check_names([member.orig_filename for member in members], limits)
    for member in members:
        _check_member(member)
    members.sort(key=lambda member: member.header_offset)
    for before, after in pairwise(members):
        if before.header_offset + _LOCAL.size + before.compress_size > after.header_offset:
            raise PackageRefused(f"{shown(after.orig_filename)}: overlaps another member")
    files = [member for member in members if not member.is_dir()]
    if not files:
        raise PackageRefused("has no file in it")
    return files


def inflate(file: BinaryIO, member: ZipInfo, budget: Budget) -> Iterator[bytes]:
    """The member's content in pieces. Raises `PackageRefused` at the piece that goes beyond a limit."""
    name, limits = shown(member.orig_filename), budget.limits
    _seek_to_data(file, member)
    came, crc, start = 0, 0, b""
    for piece in _inflated(file, member):
        came += len(piece)
        crc = zlib.crc32(piece, crc)
        if came > limits.member_bytes:
            raise PackageRefused(f"{name}: inflates to more than {limits.member_bytes} bytes")
        if came > limits.ratio_from and came > limits.ratio * max(member.compress_size, 1):
            raise PackageRefused(f"{name}: inflates to more than {limits.ratio} times its size")
        budget.spend(len(piece))
        if len(start) < _LONGEST_MARK:
            start += piece[:_LONGEST_MARK]
            _refuse_archive(name, start)
        yield piece
    if came != member.file_size or crc != member.CRC:
        raise PackageRefused(f"{name}: is not what the archive's directory says (size or checksum)")


def _check_end(file: BinaryIO, size: int, limits: PackageLimits) -> None:
    """One directory, at the end, of bounded size. `zipfile` reads whatever size is claimed."""
    tail_size = min(size, _END.size + _MAX_COMMENT)
    file.seek(size - tail_size)
    tail = file.read(tail_size)
    at = tail.rfind(_END_MARK)
    if at < 0 or len(tail) - at < _END.size:
        raise PackageRefused("is no whole zip archive: its directory is missing")
    _, disk, first_disk, _, members, directory_size, directory_at, comment = _END.unpack_from(tail, at)
    end_at = size - tail_size + at
    if at + _END.size + comment != len(tail) or tail[at - 20 : at - 16] == _ZIP64_LOCATOR or disk or first_disk:
        raise PackageRefused("is split, has something behind its end, or is of the 64-bit form; pack it anew")
    if directory_at + directory_size != end_at:
        raise PackageRefused("has something before its beginning or beside its directory; pack it anew")
    if members > limits.members or directory_size > limits.members * _DIRECTORY_BYTES_A_MEMBER:
        raise PackageRefused(f"has more than {limits.members} members")


def _check_member(member: ZipInfo) -> None:
    name = shown(member.orig_filename)
    if member.flag_bits & _ENCRYPTED_FLAGS:
        raise PackageRefused(f"{name}: is encrypted; nobody could review it")
    if member.compress_type not in (_STORED, _DEFLATED):
        raise PackageRefused(f"{name}: is compressed by a method other than deflate")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise PackageRefused(f"{name}: is a link or a device")
    if (kind == stat.S_IFDIR) > member.is_dir() or (member.is_dir() and member.file_size):
        raise PackageRefused(f"{name}: is a folder and a file at once")


def _seek_to_data(file: BinaryIO, member: ZipInfo) -> None:
    file.seek(member.header_offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size or not header.startswith(_LOCAL_MARK):
        raise PackageRefused(f"{shown(member.orig_filename)}: is not where the archive's directory says")
    _, _, flags, method, _, _, _, _, _, name_size, extra_size = _LOCAL.unpack(header)
    encoding = "utf-8" if flags & 0x800 else "cp437"
    name = file.read(name_size).decode(encoding, "replace")
    if name != member.orig_filename or method != member.compress_type or flags & _ENCRYPTED_FLAGS:
        raise PackageRefused(
            f"{shown(member.orig_filename)}: its own header says otherwise than the archive's directory"
        )
    file.seek(extra_size, 1)


def _inflated(file: BinaryIO, member: ZipInfo) -> Iterator[bytes]:
    left = member.compress_size
    inflater = zlib.decompressobj(-zlib.MAX_WBITS) if member.compress_type == _DEFLATED else None
    while left > 0:
        packed = file.read(min(left, _PIECE))
        if not packed:
            raise PackageRefused(f"{shown(member.orig_filename)}: is cut off")
        left -= len(packed)
        if inflater is None:
            yield packed
            continue
        while True:
            try:
                piece = inflater.decompress(packed, _PIECE)
            except zlib.error:
                raise PackageRefused(f"{shown(member.orig_filename)}: cannot be inflated") from None
            packed = inflater.unconsumed_tail
            if piece:
                yield piece
            if inflater.eof or (not packed and len(piece) < _PIECE):
                break
        if inflater.eof and (left or packed or inflater.unused_data):
            raise PackageRefused(f"{shown(member.orig_filename)}: has something behind its end")
    if inflater is not None and not inflater.eof:
        raise PackageRefused(f"{shown(member.orig_filename)}: is cut off")


def _refuse_archive(name: str, start: bytes) -> None:
    if start.startswith(_ARCHIVE_MARKS) or start[257:262] == b"ustar":
        raise PackageRefused(f"{name}: is an archive inside of the archive; send its files themselves")
