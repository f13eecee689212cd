from typing import Any

import pytest
from tests.unit.toolkit.agents.orders import an_add, searched

from aml.toolkit.agents import AgentFailed, HistoryTurn, NotAnAgent, from_memory
from aml.toolkit.agents.attendance import Remembering


async def test_a_memory_is_told_turns_and_asked_for_the_best() -> None:
    told: list[Any] = []

    def add(turns: tuple[HistoryTurn, ...], user_id: str, session_id: str) -> None:
        told.append(([turn.content for turn in turns], user_id, session_id))

    async def search(query: str, user_id: str, top_k: int) -> list[Any]:
        return [query, {"id": 7, "content": user_id, "score": 0.5}, {"content": "third"}, "fourth"][:top_k]

    way = Remembering(from_memory(add, search))
    await way.add(an_add("c0", "My bike is blue."))
    await way.add(an_add("c0", "My bike is blue."))

    assert told == [(["My bike is blue."], "eval:job-1:data:story", "eval:job-1:story:s001")]
    assert await way.search(searched("colour?", top_k=3)) == [
        {"id": "0", "content": "colour?"},
        {"id": "7", "content": "eval:job-1:data:story", "score": 0.5},
        {"id": "2", "content": "third"},
    ]
    await way.aclose()


@pytest.mark.parametrize("found", ["one text", {"content": "x"}, [3], [{"text": "x"}], 5])
async def test_what_is_no_list_of_memories_is_a_failure(found: Any) -> None:
    way = Remembering(from_memory(lambda *given: None, lambda *given: found))

    with pytest.raises(AgentFailed, match="search returned"):
        await way.search(searched("colour?"))
    await way.aclose()


async def test_nothing_found_is_nothing() -> None:
    way = Remembering(from_memory(lambda *given: None, lambda *given: None))

    assert await way.search(searched("colour?")) == []
    await way.aclose()


def test_what_cannot_be_called_is_no_memory() -> None:
    with pytest.raises(NotAnAgent, match="search cannot be called"):
        from_memory(lambda *given: None, None)  # type: ignore[arg-type]
