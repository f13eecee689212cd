import pytest
from obstore.store import MemoryStore

from aml.judge.recent_evidence import RecentEvidence
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey


class CountingStore(EvidenceStore):
    def __init__(self):
        super().__init__(MemoryStore(), KeyEncryptionKey(bytes(32)))
        self.opened = 0

    async def open(self, *arguments):
        self.opened += 1
        return await super().open(*arguments)


@pytest.fixture
def store():
    return CountingStore()


async def test_what_was_just_written_is_not_read_again(store):
    recent = RecentEvidence(store)
    ref = await recent.put_json("j", "e", ("a", "b"))

    assert await recent.open_json("j", "e", ref, tuple) == ("a", "b")
    assert store.opened == 0


async def test_what_was_read_is_kept(store):
    ref = await store.put_json("j", "e", ["a"])
    recent = RecentEvidence(store)

    for _ in range(3):
        assert await recent.open_json("j", "e", ref, list[str]) == ["a"]
    assert store.opened == 1


async def test_the_budget_drops_the_oldest(store):
    recent = RecentEvidence(store, budget_bytes=100)
    refs = [await recent.put_json("j", "e", "x" * 20 + str(i)) for i in range(6)]

    await recent.open_json("j", "e", refs[5], str)
    assert store.opened == 0
    await recent.open_json("j", "e", refs[0], str)
    assert store.opened == 1


async def test_a_huge_payload_does_not_push_everything_else_out(store):
    recent = RecentEvidence(store, budget_bytes=100)
    small = await recent.put_json("j", "e", "small")
    await recent.put_json("j", "e", "y" * 90)

    await recent.open_json("j", "e", small, str)
    assert store.opened == 0
