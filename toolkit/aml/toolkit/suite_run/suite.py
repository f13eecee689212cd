"""`await Suite.STANDARD.run(agent)`: a suite, an agent, a result."""

from enum import Enum
from pathlib import Path
from typing import Any

from aml.contracts.vocabulary import Language
from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.as_agent import as_agent
from aml.toolkit.agents.demands import Dates, Demands, History, Mode, agree
from aml.toolkit.results import SuiteResult
from aml.toolkit.suites.compilation import DEFAULT_SEED
from aml.toolkit.suites.presets import Preset, preset_named

from .blocking import wait_for
from .option_checks import require_amount, require_from_one, require_way, require_whole
from .perform_suite import SuitePlan, perform_suite
from .platform_access import Stack, choose_stack
from .run_bundle import RunSettings
from .run_progress import OnProgress


class Suite(Enum):
    """Quick asks 3 categories, Standard 8, Full 12; Diagnostic is Full, and Overflow Standard, under context pressure."""

    QUICK = "quick"
    STANDARD = "standard"
    FULL = "full"
    DIAGNOSTIC = "diagnostic"
    OVERFLOW = "overflow"

    @classmethod
    def named(cls, name: str) -> "Suite":
        """Whatever its case. Raises `UnknownPreset`."""
        return cls(preset_named(name).name)

    @property
    def preset(self) -> Preset:
        return preset_named(self.value)

    async def run(
        self,
        agent: Any,
        *,
        stack: Stack | str = None,
        operator_key: str | None = None,
        datasets: Path | str | None = None,
        home: Path | str | None = None,
        keep_stack: bool = False,
        language: Language = "en",
        seed: int = DEFAULT_SEED,
        limit: int | None = None,
        scenarios: Path | str | None = None,
        repeats: int = 1,
        release: str | None = None,
        mode: Mode = "inject",
        history: History = "auto",
        dates: Dates = "auto",
        temperature: float | None = None,
        answer_seed: int | None = None,
        answer_seconds: float | None = None,
        max_concurrency: int | None = None,
        price_per_million_tokens: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> SuiteResult:
        """A job on the platform for each repeat; the agent is served from this process meanwhile.

        `agent`: what `as_agent` takes. `stack`: None for the local stack in `home` (default `.aml`), started where none runs
        and stopped after unless `keep_stack`; a `Path` or a `LocalStack`; a `RemoteStack`, or its address with `operator_key`
        and `datasets`. `limit`: scenarios a category. `scenarios`: a folder of one's own instead of ours. `mode`: `inject`
        gives the agent each history, `live` tells it the user's turns session by session. `answer_seconds`: for each of its
        answers, two minutes unless given. `answer_seed` and `temperature`: for its model.

        Raises `NotAnAgent` and `AgentCannot` before the first call to the agent, `SuiteError`, `EvaluationError`,
        `LocalStackError`, `PlatformError`. What goes wrong with the agent itself leaves questions unscored.
        """
        require_from_one("repeats", repeats)
        require_from_one("limit", limit)
        require_whole("seed", seed)
        require_amount("answer_seconds", answer_seconds, zero=False, unit="a time in seconds")
        require_amount("price_per_million_tokens", price_per_million_tokens, zero=True, unit="a price")
        require_way(language, mode, history, dates)
        chosen = choose_stack(stack, operator_key, datasets, home)
        system = as_agent(agent, max_concurrency=max_concurrency)
        demands = Demands(mode=mode, history=history, dates=dates, temperature=temperature, seed=answer_seed)
        if isinstance(system, Agent):
            agree(system, demands)  # before a stack is started for nothing
        plan = SuitePlan(
            preset=self.preset,
            seed=seed,
            language=language,
            limit=limit,
            scenarios=None if scenarios is None else Path(scenarios),
            repeats=repeats,
            settings=RunSettings(release_id=release, demands=demands, language=language, answer_seconds=answer_seconds),
            price_per_million_tokens=price_per_million_tokens,
        )
        return await perform_suite(system, plan, chosen, keep_stack=keep_stack, on_progress=on_progress)

    def run_sync(self, agent: Any, **options: Any) -> SuiteResult:
        """`run` for code without an event loop, with the same options. Raises `InsideALoop` beside what `run` raises."""
        return wait_for(self.run(agent, **options), f"Suite.{self.name}.run")
