"""The full suite, three scenarios a category, run by an agent on the tests' stack."""

from collections.abc import Callable
from typing import Any

from tests.e2e.running_stack import RunningStack
from tests.factories.known_agents import (
    script_of,
)

from aml.toolkit import (
    AgentFactory,
    Suite,
)
from aml.toolkit.results import SuiteResult

LIMIT = 3
SCRIPT = script_of("full", LIMIT)


async def full(stack: RunningStack, make: Callable[[], Any], **options: Any) -> SuiteResult:
    agent = AgentFactory(make=make, name=type(make()).__name__, max_concurrency=16)
    chosen: dict[str, Any] = {"stack": stack.stack, "limit": LIMIT}
    return await Suite.FULL.run(agent, **(chosen | options))


def scores(result: SuiteResult) -> dict[str, float | None]:
    return {each.category: each.score for each in result.categories}
