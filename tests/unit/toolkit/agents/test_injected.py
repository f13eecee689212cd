import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from tests.unit.toolkit.agents.orders import an_add, searched

from aml.toolkit.agents import Agent, HistoryTurn, as_agent
from aml.toolkit.agents.demands import Demands, agree
from aml.toolkit.agents.history_form import PlainHistory
from aml.toolkit.agents.injected import Injected

ASKED = datetime(2025, 5, 2, tzinfo=UTC)


def injected(given: Any, **demands: Any) -> Injected:
    agent = as_agent(given)
    assert isinstance(agent, Agent)
    wanted = Demands(**demands)
    terms = agree(agent, wanted)
    form = PlainHistory(dates=terms.dates_in_text)
    return Injected(agent, terms, wanted, form, lambda user, query: ASKED if query == "when?" else None)


class Recorder:
    def __init__(self) -> None:
        self.turns: tuple[HistoryTurn, ...] = ()
        self.log: list[Any] = []

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self.turns = tuple(turns)
        self.log.append([turn.content for turn in turns])

    async def reset_session(self) -> None:
        self.log.append("reset")

    async def ask(self, message: str, *, at: datetime | None = None) -> str:
        self.log.append((message, at))
        return "blue"


async def test_each_question_is_asked_after_the_whole_history_in_a_new_session() -> None:
    recorder = Recorder()
    way = injected(recorder, dates="none")
    await way.add(an_add("c0", "My bike is blue.", "And my car."))
    await way.add(an_add("c1", "It rains."))

    assert await way.search(searched("colour?")) == [{"id": "answer", "content": "blue"}]
    await way.search(searched("again?"))

    told = ["My bike is blue.", "And my car.", "It rains."]
    assert recorder.log == ["reset", told, ("colour?", None), "reset", told, ("again?", None)]


async def test_an_add_that_comes_again_is_told_once() -> None:
    recorder = Recorder()
    way = injected(recorder, dates="none")
    await way.add(an_add("c0", "My bike is blue."))
    await way.add(an_add("c0", "My bike is blue."))

    await way.search(searched("colour?"))

    assert recorder.log[1] == ["My bike is blue."]


async def test_users_do_not_share_a_history() -> None:
    recorder = Recorder()
    way = injected(recorder, dates="none")
    await way.add(an_add("c0", "My bike is blue.", user="a"))
    await way.add(an_add("c1", "My bike is red.", user="b"))

    await way.search(searched("colour?", user="b"))

    assert recorder.log[1] == ["My bike is red."]


async def test_a_callable_is_given_one_text_with_history_and_question() -> None:
    async def echo(message: str) -> str:
        return message

    way = injected(echo)
    await way.add(an_add("c0", "My bike is blue."))

    [item] = await way.search(searched("when?"))

    assert "My bike is blue." in item["content"]
    assert item["content"].endswith("(Today is 2025-05-02.) when?")


async def test_times_are_given_as_times_only_where_that_was_agreed() -> None:
    recorder = Recorder()
    way = injected(recorder, dates="instants")
    await way.add(an_add("c0", "My bike is blue.", at=1_741_078_800_000))

    await way.search(searched("when?"))

    assert recorder.log[-1] == ("when?", ASKED)
    assert recorder.turns[0].at == datetime(2025, 3, 4, 9, tzinfo=UTC)

    way = injected(recorder, dates="text")
    await way.add(an_add("c0", "My bike is blue.", at=1_741_078_800_000))
    await way.search(searched("when?"))
    assert recorder.log[-1] == ("(Today is 2025-05-02.) when?", None)
    assert recorder.turns[0].at is None


async def test_nothing_said_is_no_item() -> None:
    for nothing in (None, "", "  \n"):

        async def mute(message: str, nothing: str | None = nothing) -> str | None:
            return nothing

        assert await injected(mute).search(searched("colour?")) == []


async def test_one_shared_object_answers_one_question_at_a_time() -> None:
    at_once = most = 0

    class Shared:
        async def ask(self, message: str) -> str:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.001)
            at_once -= 1
            return "ok"

    way = injected(Shared())
    await asyncio.gather(*(way.search(searched(f"q{number}")) for number in range(5)))
    assert most == 1

    way = injected(as_agent(Shared(), max_concurrency=3))
    await asyncio.gather(*(way.search(searched(f"q{number}")) for number in range(9)))
    assert most == 3
