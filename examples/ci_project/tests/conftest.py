"""Who is evaluated."""

import pytest
from diary.agent import DiaryAgent


@pytest.fixture
def memory_agent() -> DiaryAgent:
    return DiaryAgent()
