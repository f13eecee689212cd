"""Which suite a test asks for, and of whom."""

from typing import Any

import pytest

from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.pytest_plugin.order import Order, order_of
from aml.toolkit.suites.errors import UnknownPreset


class Marked:
    """`@pytest.mark.memory_suite(…)`, which the outer session does not know."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs


class Called:
    def __init__(self, params: dict[str, Any]) -> None:
        self.params = params


class Node:
    """A test, as far as an order looks at it."""

    def __init__(self, marked: Marked | None = None, **params: Any) -> None:
        self._marked = marked
        if params:
            self.callspec = Called(params)

    def get_closest_marker(self, name: str) -> Marked | None:
        return self._marked if name == "memory_suite" else None


def diary(message: str) -> str:
    return message


def journal(message: str) -> str:
    return message


def ordered(marked: Marked | None = None, agent: Any = diary, **params: Any) -> Order:
    node: Any = Node(marked, **params)
    return order_of(node, agent, suite="quick", repeats=1)


def test_the_command_line_fills_what_the_marker_leaves_out() -> None:
    assert (ordered().suite, ordered().repeats, dict(ordered().options)) == ("quick", 1, {})
    assert ordered(Marked(limit=2)).suite == "quick"
    assert ordered(Marked("FULL")).suite == ordered(Marked(name="full")).suite == "full"


def test_the_same_order_has_the_same_key_and_another_one_another() -> None:
    assert ordered(Marked("full", limit=2, seed=1)).key == ordered(Marked("full", seed=1, limit=2)).key
    keys = {
        ordered().key,
        ordered(Marked("full")).key,
        ordered(Marked(limit=2)).key,
        ordered(Marked(repeats=2)).key,
        ordered(agent=journal).key,
        ordered(memory_agent=5).key,
        ordered(memory_agent=20).key,
    }
    assert len(keys) == 7
    assert ordered(other_fixture=5).key == ordered().key


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        (Marked("quick", "full"), WrongUsage, "takes one name, not 2"),
        (Marked(stack="http://127.0.0.1:9"), WrongUsage, "stack is not a marker's to say"),
        (Marked("quickest"), UnknownPreset, "there is no suite 'quickest'"),
    ],
)
def test_a_wrong_marker_is_refused(wrong: Marked, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        ordered(wrong)
