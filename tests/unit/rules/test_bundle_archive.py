"""Archives that somebody made to do harm, or that a bad line cut short."""

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from aml.rules.bundle_archive import MAX_MEMBERS, ArchiveInvalid, ArchiveWriter, BundleArchive


def an_archive(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with ArchiveWriter(buffer) as archive:
        archive.add_all(members.items())
    return buffer.getvalue()


def a_zip(change: Callable[[zipfile.ZipFile], object]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        change(archive)
    return buffer.getvalue()


def read_all(data: bytes) -> dict[str, bytes]:
    archive = BundleArchive(io.BytesIO(data))
    return {name: archive[name] for name in archive}


def refused(data: bytes, code: str) -> ArchiveInvalid:
    with pytest.raises(ArchiveInvalid) as refusal:
        read_all(data)
    assert refusal.value.code == code
    assert "\n" not in refusal.value.problem
    return refusal.value


def test_what_was_written_is_read() -> None:
    members = {"checkpoint": b"text", "tile/0/000.p/3": bytes(96), "empty": b""}
    archive = BundleArchive(io.BytesIO(an_archive(members)))
    assert read_all(an_archive(members)) == members
    assert "checkpoint" in archive
    assert "nothing" not in archive


def test_the_same_members_give_the_same_bytes() -> None:
    members = {"a": b"one" * 1000, "b": b"two"}
    assert an_archive(members) == an_archive(members)


@pytest.mark.parametrize("data", [b"", b"{}", b"%PDF-1.7", bytes(100)])
def test_something_else_is_no_archive(data: bytes) -> None:
    refused(data, "not_an_archive")


def test_an_archive_cut_short_anywhere_is_refused() -> None:
    whole = an_archive({"checkpoint": b"text" * 50, "bundle.json": b"{}" * 50})
    for length in range(4, len(whole)):
        with pytest.raises(ArchiveInvalid) as refusal:
            BundleArchive(io.BytesIO(whole[:length]))
        assert refusal.value.code in ("archive_truncated", "archive_damaged")


@pytest.mark.parametrize(
    "name",
    ["../outside", "/etc/passwd", "tile/../../outside", "tile//0", "./bundle.json", "a\\b", "C:/outside", "dir/"],
)
def test_a_path_that_leaves_the_archive(name: str) -> None:
    refused(a_zip(lambda archive: archive.writestr(zipfile.ZipInfo(name), b"x")), "path_climbs")


@pytest.mark.parametrize("name", ["naïve", "line\nbreak"])
def test_a_name_that_no_bundle_has(name: str) -> None:
    refused(a_zip(lambda archive: archive.writestr(zipfile.ZipInfo(name), b"x")), "path_unreadable")


def test_a_member_that_is_there_twice() -> None:
    def twice(archive: zipfile.ZipFile) -> None:
        archive.writestr("checkpoint", b"one")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("checkpoint", b"two")

    refused(a_zip(twice), "duplicate_member")


def test_a_link() -> None:
    def link(archive: zipfile.ZipFile) -> None:
        member = zipfile.ZipInfo("checkpoint")
        member.create_system = 3
        member.external_attr = 0o120777 << 16
        archive.writestr(member, b"/etc/passwd")

    refused(a_zip(link), "not_a_file")


def test_a_zip_bomb_is_refused_before_it_unpacks() -> None:
    bomb = a_zip(lambda archive: archive.writestr("entries/00000.jsonl", bytes(60 << 20)))
    assert len(bomb) < 100_000
    assert "zip bomb" in refused(bomb, "zip_bomb").problem


def test_a_member_larger_than_any_of_a_bundle() -> None:
    data = bytearray(an_archive({"checkpoint": b"text"}))
    at = data.rindex(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 1 << 30)
    refused(bytes(data), "zip_bomb")


def test_many_members_that_are_too_much_together() -> None:
    """Each within bounds; the sum is what would fill a disk, were anything unpacked."""
    data = bytearray(an_archive({f"f{number:03}": b"x" * 40 for number in range(400)}))
    at = data.index(b"PK\x01\x02")
    while at >= 0:
        struct.pack_into("<LL", data, at + 20, 1 << 20, 60 << 20)
        at = data.find(b"PK\x01\x02", at + 4)
    refused(bytes(data), "archive_too_large")


def test_a_directory_that_promises_too_many_members() -> None:
    data = bytearray(an_archive({"checkpoint": b"text"}))
    at = data.rindex(b"PK\x05\x06")
    struct.pack_into("<HH", data, at + 8, MAX_MEMBERS + 1, MAX_MEMBERS + 1)
    refused(bytes(data), "too_many_members")


def test_one_changed_byte_in_a_member_is_found() -> None:
    data = bytearray(an_archive({"checkpoint": bytes(range(256)) * 4}))
    data[60] ^= 1
    refused(bytes(data), "member_damaged")


def test_an_encrypted_member_and_another_compression(tmp_path: Path) -> None:
    data = bytearray(an_archive({"checkpoint": b"text"}))
    at = data.rindex(b"PK\x01\x02")
    encrypted, packed = bytearray(data), bytearray(data)
    struct.pack_into("<H", encrypted, at + 8, 1)
    struct.pack_into("<H", packed, at + 10, zipfile.ZIP_LZMA)
    refused(bytes(encrypted), "encrypted")
    refused(bytes(packed), "compression_unknown")
    assert list(tmp_path.iterdir()) == []
