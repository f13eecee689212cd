"""Packages as donors and attackers send them."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from aml.gateway.donations.inspect_package import inspect_package
from aml.gateway.donations.package_report import MIB, PackageLimits, PackageRefused, PackageReport

CENTRAL = struct.Struct("<4s4B4H3L5H2L")
LIMITS = PackageLimits()
SMALL = PackageLimits(members=20, member_bytes=4 * MIB, total_bytes=6 * MIB)


def zipped(members: Mapping[str, bytes | str], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def zipped_as(name: str, content: bytes = b"x", **fields: int) -> bytes:
    """One member, with fields of its `ZipInfo` set."""
    out = io.BytesIO()
    member = zipfile.ZipInfo("placeholder")
    member.filename = name
    for field, value in fields.items():
        setattr(member, field, value)
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(member, content)
    return out.getvalue()


def by_hand(members: list[tuple[bytes, bytes, int]], directory: list[tuple[int, int, int, int]] | None = None) -> bytes:
    """`(name, deflated, real size)`; a directory row is `(member, offset, packed size, claimed size)` where it lies."""
    out, rows = b"", []
    for number, (name, packed, size) in enumerate(members):
        rows.append((number, len(out), len(packed), size))
        out += (
            struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(packed), size, len(name), 0) + name + packed
        )
    start, central = len(out), b""
    for number, offset, packed_size, size in directory or rows:
        name = members[number][0]
        made, sizes = (20, 0, 20, 0), (0, packed_size, size)
        central += CENTRAL.pack(b"PK\x01\x02", *made, 0, 8, 0, 0, *sizes, len(name), 0, 0, 0, 0, 0, offset) + name
    count = len(directory or rows)
    return out + central + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(central), start, 0)


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def inspected(folder: Path, content: bytes, filename: str, limits: PackageLimits = LIMITS) -> PackageReport:
    path = folder / "package"
    path.write_bytes(content)
    return inspect_package(path, filename, limits)


def problem_of(folder: Path, content: bytes, filename: str, limits: PackageLimits = LIMITS) -> str:
    with pytest.raises(PackageRefused) as refused:
        inspected(folder, content, filename, limits)
    return refused.value.problem
