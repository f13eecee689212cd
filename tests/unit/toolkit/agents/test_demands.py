import pytest

from aml.toolkit.agents.agent import Ability, Agent
from aml.toolkit.agents.demands import Demands, agree
from aml.toolkit.agents.errors import AgentCannot


class Able(Agent):
    def __init__(self, *abilities: Ability) -> None:
        self.name = "able"
        self.abilities = frozenset(abilities)

    async def ask(self, message: str, *, at: object = None) -> str:
        raise AssertionError("asked before it was agreed that it can")


@pytest.mark.parametrize(
    ("demands", "can", "missing", "advice"),
    [
        (Demands(temperature=0.0), (), "be told a temperature", "set_sampling"),
        (Demands(seed=1), (), "be told a temperature", "set_sampling"),
        (Demands(dates="instants"), (), "take timestamps", "dates='text'"),
        (Demands(dates="both"), (), "take timestamps", "supports_timestamps"),
        (Demands(history="chat"), (), "take a history turn by turn", "history='text'"),
        (Demands(mode="live"), ("fork",), "begin a new session", "mode='inject'"),
        (Demands(mode="live"), ("reset_session",), "begin with an empty memory", "AgentFactory"),
        (Demands(mode="live", history="chat"), ("reset_session", "fork"), "lives through", "history='auto'"),
    ],
)
def test_what_an_agent_cannot_do_is_refused_with_what_to_do(
    demands: Demands, can: tuple[Ability, ...], missing: str, advice: str
) -> None:
    with pytest.raises(AgentCannot) as refused:
        agree(Able(*can), demands)

    assert missing in str(refused.value)
    assert advice in refused.value.advice
    assert refused.value.agent == "able"


def test_a_history_is_a_chat_where_the_agent_can() -> None:
    assert agree(Able("inject_history"), Demands()).chat
    assert not agree(Able(), Demands()).chat
    assert not agree(Able("inject_history"), Demands(history="text")).chat


@pytest.mark.parametrize(
    ("dates", "can", "in_text", "instants"),
    [
        ("auto", (), True, False),
        ("auto", ("timestamps",), True, True),
        ("text", ("timestamps",), True, False),
        ("instants", ("timestamps",), False, True),
        ("both", ("timestamps",), True, True),
        ("none", ("timestamps",), False, False),
    ],
)
def test_dates_are_told_as_agreed(dates: str, can: tuple[Ability, ...], in_text: bool, instants: bool) -> None:
    terms = agree(Able(*can), Demands(dates=dates))  # type: ignore[arg-type]

    assert (terms.dates_in_text, terms.instants) == (in_text, instants)
