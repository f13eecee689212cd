"""Files come whole or not at all, and what nobody names goes."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aml.gateway.donations import package_store
from aml.gateway.donations.package_report import PackageRefused
from aml.gateway.donations.package_store import PackageStore, UploadTooLarge, UploadTooSlow


async def pieces(*contents: bytes) -> AsyncIterator[bytes]:
    for content in contents:
        yield content


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_what_arrives_is_hashed_and_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    store = PackageStore(tmp_path)

    async with store.receive(pieces(b"ab", b"c"), 3) as arrived, store.keep(arrived) as name:
        assert arrived.sha256 == hashlib.sha256(b"abc").hexdigest()

    assert store.path_of(name).read_bytes() == b"abc"
    assert files(tmp_path) == [store.path_of(name)]
    assert store.used_bytes() == 3


async def test_one_byte_too_many_stops_the_upload(tmp_path: Path) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b"x"

    with pytest.raises(UploadTooLarge):
        async with PackageStore(tmp_path).receive(endless(), 5):
            pass

    assert taken == 6
    assert files(tmp_path) == []


async def test_nothing_is_refused_as_empty(tmp_path: Path) -> None:
    with pytest.raises(PackageRefused, match="empty"):
        async with PackageStore(tmp_path).receive(pieces(), 5):
            pass

    assert files(tmp_path) == []


async def test_a_sender_that_stands_still_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_store, "PIECE_SECONDS", 0.05)

    async def stuck() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.sleep(60)

    with pytest.raises(UploadTooSlow):
        async with PackageStore(tmp_path).receive(stuck(), 5):
            pass

    assert files(tmp_path) == []


async def test_a_row_that_is_not_written_takes_its_file_with_it(tmp_path: Path) -> None:
    store = PackageStore(tmp_path)

    with pytest.raises(RuntimeError):
        async with store.receive(pieces(b"abc"), 3) as arrived, store.keep(arrived):
            raise RuntimeError

    assert files(tmp_path) == []


def test_only_old_files_without_a_row_are_swept(tmp_path: Path) -> None:
    store = PackageStore(tmp_path)
    (tmp_path / "incoming").mkdir()
    for name in ("named", "orphan", "young", "incoming/crashed.part"):
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (0, 0) if name != "young" else (1e10, 1e10))

    assert store.sweep({"named"}, now=1e10) == 2

    assert {path.name for path in files(tmp_path)} == {"named", "young"}


def test_a_folder_that_is_not_there_yet_holds_nothing(tmp_path: Path) -> None:
    assert PackageStore(tmp_path / "none").used_bytes() == 0
    assert PackageStore(tmp_path / "none").sweep(set()) == 0
