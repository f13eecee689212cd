from collections.abc import Iterator
from pathlib import Path

import pytest

from aml.examples.fts5 import Fts5Memory, match_expression
from aml.examples.serve import Add, ConflictError, Message, Part, Search


def an_add(number: int, *texts: str, user: str = "eval:r:d:s", timestamp: int | None = None) -> Add:
    messages = [Message(role="user", content=text, timestamp=timestamp) for text in texts]
    return Add(request_id=f"{user}:chunk-{number}", messages=messages, user_id=user, session_id="eval:r:s:1")


def found(memory: Fts5Memory, query: str, *, user: str = "eval:r:d:s", top_k: int = 100) -> list[str]:
    return [item.content for item in memory.search(Search(query=query, user_id=user, top_k=top_k))]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Fts5Memory]:
    memory = Fts5Memory(str(tmp_path / "memory.db"))
    yield memory
    memory.close()


def test_the_best_match_comes_first_with_its_day(memory: Fts5Memory) -> None:
    memory.add(
        an_add(
            0,
            "Ann: I bought a red kayak",
            "Ben: nice weather",
            "Ann: the kayak is at the lake",
            timestamp=1683504000000,
        )
    )

    (first, second) = memory.search(Search(query="Where is the kayak, which is red?", user_id="eval:r:d:s", top_k=5))

    assert first.content == "[2023-05-08] Ann: I bought a red kayak"
    assert first.created_at == "2023-05-08T00:00:00Z"
    assert first.score is not None
    assert second.score is not None
    assert first.score > second.score
    assert first.id != second.id


def test_top_k_is_never_exceeded(memory: Fts5Memory) -> None:
    memory.add(an_add(0, *(f"kayak {number}" for number in range(20))))
    assert [len(found(memory, "kayak", top_k=top_k)) for top_k in (1, 5, 100)] == [1, 5, 20]


def test_users_do_not_see_each_other(memory: Fts5Memory) -> None:
    memory.add(an_add(0, "the canary sings", user="one"))
    memory.add(an_add(0, "the parrot talks", user="two"))

    assert found(memory, "canary parrot", user="one") == ["the canary sings"]
    assert found(memory, "canary", user="two") == []
    assert found(memory, "canary", user="ONE") == found(memory, "canary", user="three") == []


def test_a_request_is_written_once(memory: Fts5Memory) -> None:
    for _ in range(2):
        memory.add(an_add(0, "kayak"))
    assert found(memory, "kayak") == ["kayak"]

    with pytest.raises(ConflictError):
        memory.add(an_add(0, "canoe"))
    assert found(memory, "canoe") == []
    # The id is the user's own: the same one under another user is another request.
    other = an_add(0, "kayak of another")
    other.user_id = "other"
    memory.add(other)
    assert found(memory, "kayak", user="other") == ["kayak of another"]


def test_what_was_answered_survives(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    first = Fts5Memory(path)
    first.add(an_add(0, "kayak"))
    again = Fts5Memory(path)  # as after `kill -9`: the first one was never closed

    again.add(an_add(0, "kayak"))

    assert found(again, "kayak") == ["kayak"]
    again.close()
    first.close()


def test_chinese_is_found_without_spaces(memory: Fts5Memory) -> None:
    memory.add(an_add(0, "小明:我喜欢喝绿茶", "小红:今天下雨"))
    assert found(memory, "谁喜欢绿茶?") == ["小明:我喜欢喝绿茶"]


@pytest.mark.parametrize(
    "query",
    ['"', "a AND (b", "NEAR(", "col:x*", "^x", "-", "", " ", "_", "'; DROP TABLE memory", "\x00", "😀", "the of"],
)
def test_no_query_is_syntax(memory: Fts5Memory, query: str) -> None:
    memory.add(an_add(0, "x" + query))
    assert isinstance(found(memory, query), list)


def test_a_very_long_query_works(memory: Fts5Memory) -> None:
    memory.add(an_add(0, "word7"))
    assert found(memory, " ".join(f"word{number}" for number in range(3000))) == ["word7"]


def test_options_and_text_parts_are_searched(memory: Fts5Memory) -> None:
    memory.add(an_add(0, "we went to Lisbon", "we ate soup"))
    query = [Part(type="text", text="Where to?"), Part(type="image_url")]

    items = memory.search(Search(query=query, user_id="eval:r:d:s", top_k=5, options=["A. Lisbon", "B. Porto"]))

    assert [item.content for item in items] == ["we went to Lisbon"]


def test_stop_words_are_dropped_unless_there_is_nothing_else() -> None:
    assert match_expression("What did the Cat do?") == '"cat"'
    assert match_expression("Who are you?") == '"who" OR "are" OR "you"'
    assert match_expression("?!") is None
