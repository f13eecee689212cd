from pathlib import Path

import pytest

from aml.examples.bm25s_memory import Bm25sMemory
from aml.examples.serve import Add, ConflictError, Message, Search


def an_add(number: int, *texts: str, user: str = "u") -> Add:
    messages = [Message(role="user", content=text) for text in texts]
    return Add(request_id=f"{user}:chunk-{number}", messages=messages, user_id=user, session_id="s")


def found(memory: Bm25sMemory, query: str, *, user: str = "u", top_k: int = 100) -> list[str]:
    return [item.content for item in memory.search(Search(query=query, user_id=user, top_k=top_k))]


def test_ranked_isolated_bounded_and_readable_at_once() -> None:
    memory = Bm25sMemory()
    memory.add(an_add(0, "red kayak", "blue sky", "a kayak of wood"))
    memory.add(an_add(0, "kayak of another", user="v"))

    assert found(memory, "Where is the red kayak?") == ["red kayak", "a kayak of wood"]
    assert found(memory, "kayaks", top_k=1) != []
    memory.add(an_add(1, "kayak kayak"))
    assert "kayak kayak" in found(memory, "kayak")
    assert found(memory, "kayak", user="nobody") == found(memory, "unheard") == found(memory, "?") == []
    memory.add(an_add(2, "我喜欢喝绿茶"))
    assert found(memory, "绿茶") == ["我喜欢喝绿茶"]


def test_a_request_is_written_once() -> None:
    memory = Bm25sMemory()
    for _ in range(2):
        memory.add(an_add(0, "kayak", "sky"))
    assert found(memory, "kayak") == ["kayak"]
    with pytest.raises(ConflictError):
        memory.add(an_add(0, "canoe"))


def test_the_journal_is_read_back_without_its_torn_end(tmp_path: Path) -> None:
    journal = tmp_path / "memory.jsonl"
    memory = Bm25sMemory(journal)
    memory.add(an_add(0, "kayak", "sky"))
    memory.close()
    whole = journal.read_bytes()
    journal.write_bytes(whole + whole[:20])

    again = Bm25sMemory(journal)
    again.add(an_add(1, "canoe", "sky"))
    again.close()
    third = Bm25sMemory(journal)

    assert found(third, "kayak canoe") == ["kayak", "canoe"]
    third.close()
