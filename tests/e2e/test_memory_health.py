"""The health check on a real stack: a live agent that remembers, and one that fails."""

import pytest
from tests.e2e.running_stack import RunningStack

from aml.toolkit import AgentFactory
from aml.toolkit.health import MemoryHealthCheck, Thresholds

pytestmark = pytest.mark.stack


class Diary:
    def __init__(self) -> None:
        self.told: list[str] = []

    def reset_session(self) -> None:
        """It remembers over sessions."""

    def ask(self, message: str) -> str:
        self.told.append(message)
        return " ".join(each for each in self.told[:-1] if not each.endswith("?"))


class Broken(Diary):
    def ask(self, message: str) -> str:
        raise ConnectionError("its database is away")


async def test_a_live_agent_is_measured(stack: RunningStack) -> None:
    check = MemoryHealthCheck(
        AgentFactory(make=Diary, name="diary"),
        mode="live",
        stack=stack.stack,
        limit=1,
        thresholds=Thresholds(healthy=1, degraded=0),
    )
    found = await check.check()
    assert (found.status, found.reasons) == ("healthy", ())
    assert found.scored == found.planned > 0
    assert len(found.job_ids) == 1


async def test_an_agent_that_fails_is_unhealthy_and_not_unknown(stack: RunningStack) -> None:
    check = MemoryHealthCheck(AgentFactory(make=Broken, name="broken"), mode="live", stack=stack.stack, limit=1)
    found = await check.check()
    assert found.status == "unhealthy"
    assert found.reasons == (f"{found.planned} of {found.planned} questions got no answer",)
