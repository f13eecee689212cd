"""`await LongMemEval(path, max_questions=50).run(agent)`: the benchmark, an agent, a result; a job on the one engine."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.as_agent import as_agent
from aml.toolkit.suite_run.blocking import wait_for
from aml.toolkit.suite_run.platform_access import Stack, access_platform, choose_stack
from aml.toolkit.suite_run.run_progress import OnProgress

from .dataset import Catalogue, read_catalogue
from .errors import NothingSelected, OptionInvalid
from .ground import prepare
from .options import LongMemEvalOptions
from .oracle import OracleOptions
from .result import LongMemEvalResult, PairedResult, pair
from .run_arm import Arm, run_arm
from .sampling import Selection, select
from .system_demands import System, require_able


class RunKeywords(TypedDict, total=False):
    """Where and how a run happens.

    `stack`: None for the local stack in `home` (default `.aml`), started where none runs and stopped after unless `keep_stack`;
    a `Path`, a `LocalStack`, a `RemoteStack`, or an address with `operator_key` and `datasets`. `release`: None for the one
    that fits. `answer_seconds`: for one call to the agent. `max_concurrency`: calls to the agent at once.
    """

    stack: Stack | str
    operator_key: str | None
    datasets: Path | str | None
    home: Path | str | None
    keep_stack: bool
    release: str | None
    answer_seconds: float | None
    max_concurrency: int | None
    on_progress: OnProgress | None


class LongMemEval:
    """`dataset` is `longmemeval_s_cleaned.json` or a file of its schema. Options as a struct or by name.

    Raises `OptionInvalid` when it is made.
    """

    def __init__(self, dataset: Path | str, options: LongMemEvalOptions | None = None, **named: Any) -> None:
        self.dataset = Path(dataset).expanduser()
        if options is not None and named:
            raise OptionInvalid(next(iter(named)), "goes with no options struct; put it into the struct")
        self.options = options or LongMemEvalOptions.of(**named)

    def sample(self) -> Selection:
        """What would be asked; reads the file. Raises `BundleError`, `NothingSelected`."""
        return self._select(read_catalogue(self.dataset, hashed=False))

    async def run(self, agent: Any, **where: Unpack[RunKeywords]) -> LongMemEvalResult:
        """`agent`: what `as_agent` takes.

        Raises `NotAnAgent`, `AgentCannot` and `OptionInvalid` before the first call to the agent; `LongMemEvalError`,
        `BundleError`, `EvaluationError`, `LocalStackError`, `PlatformError`. What goes wrong with the agent itself leaves
        questions unscored.
        """
        (result,) = await self._perform([(agent, None)], where)
        return result

    async def run_oracle(
        self, reader: Any, oracle: OracleOptions | None = None, **where: Unpack[RunKeywords]
    ) -> LongMemEvalResult:
        """The ceiling: `reader` is given the sessions that hold the answer. It measures dataset and model, not a memory."""
        (result,) = await self._perform([(reader, oracle or OracleOptions())], where)
        return result

    async def run_paired(
        self, agent: Any, reader: Any = None, oracle: OracleOptions | None = None, **where: Unpack[RunKeywords]
    ) -> PairedResult:
        """The same questions first to the agent, then to the reader (None for the agent itself), and the gap between them.

        Raises `OptionInvalid` where both name a model and these differ: the gap would be between two models.
        """
        second = agent if reader is None else reader
        normal, ceiling = await self._perform([(agent, None), (second, oracle or OracleOptions())], where)
        return pair(normal, ceiling)

    def run_sync(self, agent: Any, **where: Unpack[RunKeywords]) -> LongMemEvalResult:
        """`run` for code without an event loop. Raises `InsideALoop` beside what `run` raises."""
        return wait_for(self.run(agent, **where), "LongMemEval.run")

    def run_oracle_sync(
        self, reader: Any, oracle: OracleOptions | None = None, **where: Unpack[RunKeywords]
    ) -> LongMemEvalResult:
        return wait_for(self.run_oracle(reader, oracle, **where), "LongMemEval.run_oracle")

    def run_paired_sync(
        self, agent: Any, reader: Any = None, oracle: OracleOptions | None = None, **where: Unpack[RunKeywords]
    ) -> PairedResult:
        return wait_for(self.run_paired(agent, reader, oracle, **where), "LongMemEval.run_paired")

    async def _perform(
        self, given: list[tuple[Any, OracleOptions | None]], where: RunKeywords
    ) -> list[LongMemEvalResult]:
        """One arm each: who is asked, and the oracle's options for an oracle arm."""
        stack = choose_stack(where.get("stack"), where.get("operator_key"), where.get("datasets"), where.get("home"))
        systems = [as_agent(each, max_concurrency=where.get("max_concurrency")) for each, _ in given]
        for system, (_, oracle) in zip(systems, given, strict=True):
            if oracle is not None and not isinstance(system, Agent):
                raise OptionInvalid("reader", "a memory has nothing to retrieve in the oracle arm; give an agent")
            require_able(system, self.options)
        _require_one_model(systems)
        catalogue = await asyncio.to_thread(read_catalogue, self.dataset, hashed=self.options.run_provenance == "full")
        selection = self._select(catalogue)
        ground = await asyncio.to_thread(prepare, stack, systems, self.options, where.get("release"))
        arms = [
            Arm(
                system=system,
                dataset=self.dataset,
                catalogue=catalogue,
                selection=selection,
                options=self.options,
                oracle=oracle,
                release_id=ground.release_ids[position],
                answer_seconds=where.get("answer_seconds"),
            )
            for position, (system, (_, oracle)) in enumerate(zip(systems, given, strict=True))
        ]
        async with access_platform(stack, keep=where.get("keep_stack", False)) as access:
            return [await run_arm(arm, access, ground, where.get("on_progress")) for arm in arms]

    def _select(self, catalogue: Catalogue) -> Selection:
        selection = select(catalogue.entries, self.options)
        if not selection.questions:
            raise NothingSelected(self.dataset, _wanted(self.options))
        return selection


def _require_one_model(systems: Sequence[System]) -> None:
    models = {system.model for system in systems if system.model is not None}
    if len(models) > 1:
        problem = f"answers with another model than the agent ({' and '.join(sorted(models))}); use the same one"
        raise OptionInvalid("reader", problem)


def _wanted(options: LongMemEvalOptions) -> str:
    types = (
        "of any type" if options.include_question_types is None else f"of {', '.join(options.include_question_types)}"
    )
    return f"{types}, with abstention_policy {options.abstention_policy!r}"
