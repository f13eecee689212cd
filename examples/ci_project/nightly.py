"""What `aml suite run --agent nightly:agent` evaluates."""

from diary.agent import DiaryAgent

from aml.toolkit import AgentFactory

agent = AgentFactory(make=DiaryAgent, name="diary")
