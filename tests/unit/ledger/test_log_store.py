from pathlib import Path

import pytest
from obstore.store import MemoryStore
from tests.factories.faulty_disk import FaultyDisk

from aml.ledger.errors import LogStoreUnavailable
from aml.ledger.log_store import BucketLogStore, FolderLogStore, LogStore, open_log_store

FILES = [
    ("tile/0/000.p/3", b"abc"),
    ("tile/0/000.p/4", b"abcd"),
    ("tile/entries/x001/000", b"full"),
    ("checkpoint", b"c"),
]


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> LogStore:
    return FolderLogStore(tmp_path / "not/there/yet") if request.param == "folder" else BucketLogStore(MemoryStore())


async def test_what_was_written_is_read(store: LogStore) -> None:
    await store.write(FILES)

    assert [await store.read(path) for path, _ in FILES] == [data for _, data in FILES]
    assert [await store.read(path) for path in ("tile/0/001", "tile/0", "checkpoint/x")] == [None, None, None]


async def test_a_file_is_replaced_whole(store: LogStore) -> None:
    await store.write([("checkpoint", b"a long one")])
    await store.write([("checkpoint", b"short")])

    assert await store.read("checkpoint") == b"short"


async def test_folders_of_partial_tiles_are_found_and_removed(store: LogStore) -> None:
    await store.write(FILES)

    assert await store.partial_folders() == ["tile/0/000.p"]
    await store.remove_folders(["tile/0/000.p", "tile/0/007.p"])
    assert await store.partial_folders() == []
    assert await store.read("tile/entries/x001/000") == b"full"
    await store.write([("tile/0/000.p/9", b"again")])
    assert await store.read("tile/0/000.p/9") == b"again"


async def test_no_scratch_file_is_left(tmp_path: Path) -> None:
    await FolderLogStore(tmp_path).write(FILES)

    assert sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*") if each.is_file()) == sorted(
        path for path, _ in FILES
    )


async def test_a_full_disk_is_named_and_the_next_write_succeeds(tmp_path: Path) -> None:
    disk = FaultyDisk()
    store = FolderLogStore(tmp_path / "public", disk)
    disk.fail_at(4, "ENOSPC")
    with pytest.raises(LogStoreUnavailable, match="No space left on device"):
        await store.write(FILES)
    disk.heal()
    await store.write(FILES)
    assert await store.read("checkpoint") == b"c"


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LogStoreUnavailable):
        await FolderLogStore(tmp_path / "file").write(FILES)


def test_the_address_says_which_store() -> None:
    assert isinstance(open_log_store("file:///somewhere"), FolderLogStore)
    assert isinstance(open_log_store("memory:///"), BucketLogStore)
