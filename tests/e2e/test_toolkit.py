"""The suites against agents whose memory is known exactly: each metric moves as theory says, and no other one does.

One perfect agent is the measure; every other one differs from it in one way, and so must its result.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import pytest_asyncio
from tests.e2e.running_stack import RunningStack
from tests.factories.known_agents import (
    UNKNOWN,
    Amnesiac,
    DateBlind,
    FailingAtRandom,
    Garrulous,
    Known,
    Liar,
    Mute,
    Scripted,
    Slow,
    SmallContext,
    Suggestible,
    Summariser,
    WindowOf,
    script_of,
)
from tests.factories.openai_stub import Messages, running_stub

from aml.contracts.verdicts import AnswerScored
from aml.toolkit import (
    AgentFactory,
    HistoryTurn,
    MemoryAssertionError,
    OpenAIChatAgent,
    RunProgress,
    Suite,
    can_remember,
    from_memory,
)
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.metrics.reducer_fidelity import fidelity_score
from aml.toolkit.results import SuiteResult

LIMIT = 3
SCRIPT = script_of("full", LIMIT)

pytestmark = [pytest.mark.stack, pytest.mark.asyncio(loop_scope="session")]


async def full(stack: RunningStack, make: Callable[[], Any], **options: Any) -> SuiteResult:
    agent = AgentFactory(make=make, name=type(make()).__name__, max_concurrency=16)
    chosen: dict[str, Any] = {"stack": stack.stack, "limit": LIMIT}
    return await Suite.FULL.run(agent, **(chosen | options))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def perfect(stack: RunningStack) -> SuiteResult:
    return await full(stack, lambda: Scripted(SCRIPT))


def scores(result: SuiteResult) -> dict[str, float | None]:
    return {each.category: each.score for each in result.categories}


def moved(result: SuiteResult, perfect: SuiteResult) -> set[str]:
    """The categories whose scores differ from the perfect agent's."""
    before = scores(perfect)
    return {category for category, score in scores(result).items() if score != before[category]}


def keys_of(category: str) -> list[Known]:
    return [known for known in SCRIPT.values() if known.key.category == category]


async def test_a_perfect_agent_is_perfect(perfect: SuiteResult) -> None:
    assert perfect.complete
    assert set(scores(perfect).values()) == {100.0}
    assert (perfect.overall, perfect.capability, perfect.grade, perfect.stars) == (100.0, 100.0, "A+", 5)
    assert len(perfect.axes) == 5
    assert perfect.planned == len(perfect.questions) > 50
    reach_back = perfect.category("reach_back")
    assert reach_back is not None
    assert reach_back.reach_back is not None
    assert (reach_back.reach_back.reliable_depth, reach_back.reach_back.shape) == (100, "stable")
    perfect.should.be_complete().have_retention_above(80).have_no_hallucinations().reach_back_at_least(100)


async def test_an_amnesiac_knows_only_what_nobody_knows(stack: RunningStack, perfect: SuiteResult) -> None:
    result = await full(stack, lambda: Amnesiac(SCRIPT))

    assert result.complete
    for question in result.questions:
        assert question.answer == UNKNOWN
        match question.judge:
            case "abstention":
                assert question.score == 100.0
            case "specificity_attack":  # that more was never told is a part of what is right
                assert question.score is not None
                assert question.score < 100.0
            case _:
                assert question.score == 0.0, question
    assert scores(result)["abstention"] == 100.0
    with pytest.raises(MemoryAssertionError, match="basic retention above 80"):
        result.should.have_retention_above(80)


async def test_a_window_breaks_the_curve_where_it_ends(stack: RunningStack, perfect: SuiteResult) -> None:
    """A window of 11 exchanges holds a fact that 10 exchanges lie behind, and none that 25 do."""
    result = await full(stack, lambda: WindowOf(SCRIPT, 11))

    found = result.category("reach_back")
    assert found is not None
    assert found.reach_back is not None
    curve = {point.depth: point.score for point in found.reach_back.curve}
    assert curve == {5: 100.0, 10: 100.0, 25: 0.0, 50: 0.0, 100: 0.0}
    assert (found.reach_back.reliable_depth, found.reach_back.shape) == (10, "steep")
    assert scores(result)["abstention"] == 100.0


@pytest.mark.parametrize(("exchanges", "reliable"), [(5, None), (6, 5), (51, 50), (101, 100)])
async def test_a_fact_is_reached_exactly_while_it_is_in_the_window(
    stack: RunningStack, exchanges: int, reliable: int | None
) -> None:
    result = await full(stack, lambda: WindowOf(SCRIPT, exchanges), limit=1)

    found = result.category("reach_back")
    assert found is not None
    assert found.reach_back is not None
    assert found.reach_back.reliable_depth == reliable


async def test_a_summarisers_loss_is_its_reducer_fidelity(stack: RunningStack, perfect: SuiteResult) -> None:
    def keeps(ask: str, position: int) -> bool:
        return (len(ask) + position) % 3 != 0

    result = await full(stack, lambda: Summariser(SCRIPT, keeps))

    facts = [
        (fact, keeps(known.key.ask, position))
        for known in keys_of("reducer_fidelity")
        for position, fact in enumerate(known.key.facts)
    ]
    critical = [kept for fact, kept in facts if fact.importance >= 80]
    share = round(100 * sum(kept for _, kept in facts) / len(facts), 4)
    critical_share = round(100 * sum(critical) / len(critical), 4)
    assert 0 < share < 100
    found = result.category("reducer_fidelity")
    assert found is not None
    assert (found.preserved, found.critical) == (share, critical_share)
    assert found.score == fidelity_score(share, critical_share)
    assert moved(result, perfect) == {"reducer_fidelity"}


async def test_who_is_blind_to_dates_fails_in_time_alone(stack: RunningStack, perfect: SuiteResult) -> None:
    result = await full(stack, lambda: DateBlind(SCRIPT))

    answerable = [known for known in keys_of("temporal_reasoning") if known.key.judge != "abstention"]
    assert moved(result, perfect) == {"temporal_reasoning"}
    expected = 100 * (1 - len(answerable) / len(keys_of("temporal_reasoning")))
    assert scores(result)["temporal_reasoning"] == pytest.approx(expected, abs=0.01)


async def test_who_echoes_near_misses_fails_in_noise_alone(stack: RunningStack, perfect: SuiteResult) -> None:
    result = await full(stack, lambda: Suggestible(SCRIPT))

    assert moved(result, perfect) == {"noise_resilience"}
    found = result.category("noise_resilience")
    assert found is not None
    assert found.score is not None
    assert found.score < 20
    assert found.forbidden >= len([known for known in keys_of("noise_resilience") if known.key.forbidden])
    with pytest.raises(MemoryAssertionError, match="hallucinations"):
        result.should.have_no_hallucinations()


async def test_a_liar_fails_where_nothing_is_known(stack: RunningStack, perfect: SuiteResult) -> None:
    result = await full(stack, lambda: Liar(SCRIPT))

    assert moved(result, perfect) == {
        known.key.category for known in SCRIPT.values() if known.key.judge == "abstention"
    }
    assert scores(result)["abstention"] == 0.0


async def test_saying_nothing_is_wrong_and_not_out_of_order(stack: RunningStack) -> None:
    result = await full(stack, lambda: Mute(SCRIPT), limit=1)

    assert result.complete
    assert result.overall == 0.0
    assert all(question.answer is None for question in result.questions)


async def test_who_is_too_slow_is_unscored_there_and_scored_elsewhere(
    stack: RunningStack, perfect: SuiteResult
) -> None:
    result = await full(stack, lambda: Slow(SCRIPT, "preference", 4.0), answer_seconds=1.0, limit=1)

    preference = [question for question in result.questions if question.category == "preference"]
    assert not result.complete
    assert result.unscored == len(preference) > 0
    for question in preference:
        assert question.unscored is not None
        assert "gave no answer within 1 s" in question.unscored.detail
    assert {score for category, score in scores(result).items() if category != "preference"} == {100.0}
    assert scores(result)["preference"] is None
    assert result.overall < 100.0
    assert result.capability == 100.0
    with pytest.raises(MemoryAssertionError, match="scored"):
        result.should.have_category_above("preference", 10)


async def test_failing_at_random_leaves_exactly_those_unscored(stack: RunningStack) -> None:
    result = await full(stack, lambda: FailingAtRandom(SCRIPT, 5))

    failed = {known.key.ask for known in SCRIPT.values() if FailingAtRandom(SCRIPT, 5).fails(known.key.ask)}
    assert failed
    assert {question.text for question in result.questions if question.unscored is not None} == failed
    assert {question.score for question in result.questions if question.unscored is None} == {100.0}
    [detail] = {
        question.unscored.detail.partition(": the agent ")[2] for question in result.questions if question.unscored
    }
    assert detail.startswith("raised RuntimeError: the disk is on fire")
    # The platform itself was told nothing of what the agent's error says.
    async with stack.platform() as platform:
        kept = await platform.result_file(result.provenance.job_ids[0], "questions.jsonl", details=True)
    assert b"on fire" not in kept


async def test_who_exceeds_its_context_is_unscored_from_that_depth_on(stack: RunningStack) -> None:
    result = await full(stack, lambda: SmallContext(SCRIPT, 40), limit=1)

    depths = {question.depth: question.unscored for question in result.questions if question.depth is not None}
    assert [depth for depth, unscored in depths.items() if unscored is not None] == [50, 100]
    unscored = depths[100]
    assert unscored is not None
    assert "do not fit into a context of 40" in unscored.detail
    assert not result.complete


async def test_a_megabyte_is_no_answer_and_costs_no_other_question(stack: RunningStack) -> None:
    result = await full(stack, lambda: Garrulous(SCRIPT, "preference"), limit=1)

    preference = [question for question in result.questions if question.category == "preference"]
    assert preference
    for question in preference:
        assert question.unscored is not None
        assert "at most 262,144 are read" in question.unscored.detail
    assert {score for category, score in scores(result).items() if category != "preference"} == {100.0}
    assert scores(result)["preference"] is None
    assert result.unscored == len(preference)


async def test_repeats_are_jobs_and_show_their_spread(stack: RunningStack) -> None:
    result = await Suite.QUICK.run(AgentFactory(make=lambda: Scripted(SCRIPT)), stack=stack.stack, limit=1, repeats=2)

    assert len(set(result.provenance.job_ids)) == 2
    assert {question.repeat for question in result.questions} == {0, 1}
    assert result.spread is not None
    assert result.spread.points == 0.0


async def test_the_provenance_names_jobs_that_the_signed_log_holds(stack: RunningStack, perfect: SuiteResult) -> None:
    [job_id] = perfect.provenance.job_ids
    entries = await stack.decided_log(job_id)

    scored = [each for each in entries if isinstance(each.event, AnswerScored) and each.event.job_id == job_id]
    assert len(scored) == perfect.planned
    assert perfect.provenance.checkpoint is not None
    size = int(perfect.provenance.checkpoint.splitlines()[1])
    assert size >= max(entry.index for entry in scored)
    assert perfect.provenance.release_id == "toolkit"


class Diarist:
    """Lives through its sessions: what the user says is written down, and a session's end changes nothing."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.resets = 0

    def ask(self, message: str) -> str:
        asked = message.split(".) ", 1)[1] if message.startswith("(Today is ") else message
        if asked not in SCRIPT:
            self.heard.append(message)
            return "I see."
        told = "\n".join(self.heard)
        known = SCRIPT[asked]
        return known.key.answer if self.resets and all(text in told for text in known.evidence) else UNKNOWN

    def reset_session(self) -> None:
        self.resets += 1


async def test_sessions_can_be_lived_through(stack: RunningStack) -> None:
    result = await Suite.QUICK.run(
        AgentFactory(make=Diarist, max_concurrency=8), stack=stack.stack, limit=LIMIT, mode="live"
    )

    assert result.complete
    assert result.overall == 100.0
    assert result.provenance.history == "live"


async def test_who_breaks_down_while_living_is_unscored_for_that(stack: RunningStack) -> None:
    class Frail(Diarist):
        def ask(self, message: str) -> str:
            if message not in SCRIPT and "[" in message:
                raise OSError("no more paper")
            return super().ask(message)

    result = await Suite.QUICK.run(AgentFactory(make=Frail, max_concurrency=8), stack=stack.stack, limit=1, mode="live")

    assert result.unscored == result.planned > 0
    for question in result.questions:
        assert question.unscored is not None
        assert question.unscored.stage == "ingest"
        assert question.unscored.detail.endswith("the agent raised OSError: no more paper")


async def test_a_stack_at_an_address_is_used_with_its_key(stack: RunningStack) -> None:
    result = await Suite.QUICK.run(
        lambda message: UNKNOWN,
        stack=stack.info.portal,
        operator_key=stack.operator_key,
        datasets=stack.stack.layout.datasets,
        limit=1,
    )

    assert result.complete
    assert result.provenance.checkpoint is None, "whose log it is nobody here can say"


async def test_a_release_that_is_not_there_is_named(stack: RunningStack) -> None:
    with pytest.raises(WrongUsage, match=r"no release 'toolkit-9'; offered are .*toolkit"):
        await Suite.QUICK.run(lambda message: UNKNOWN, stack=stack.stack, release="toolkit-9", limit=1)


async def test_an_interrupted_run_is_cancelled_on_the_platform(stack: RunningStack) -> None:
    asked = asyncio.Event()
    seen: list[RunProgress] = []

    async def endless(message: str) -> str:
        asked.set()
        await asyncio.sleep(600)
        return message

    running = asyncio.create_task(Suite.QUICK.run(endless, stack=stack.stack, limit=1, on_progress=seen.append))
    await asyncio.wait_for(asked.wait(), 20)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    async with stack.platform() as platform:
        job = await platform.job(seen[-1].job_id)
    assert job.state == "cancelled"


async def test_users_of_one_stack_do_not_disturb_each_other(stack: RunningStack) -> None:
    perfect, amnesiac = await asyncio.gather(
        Suite.QUICK.run(AgentFactory(make=lambda: Scripted(SCRIPT)), stack=stack.stack, limit=LIMIT),
        Suite.QUICK.run(AgentFactory(make=lambda: Amnesiac(SCRIPT)), stack=stack.stack, limit=LIMIT),
    )

    assert perfect.overall == 100.0
    assert amnesiac.overall < 50.0


async def test_a_suite_in_chinese_is_asked_and_judged_in_chinese(stack: RunningStack) -> None:
    script = script_of("full", language="zh")

    perfect = await full(stack, lambda: Scripted(script), language="zh", limit=None)

    assert perfect.overall == 100.0, [question for question in perfect.questions if question.score != 100.0]
    assert perfect.provenance.language == "zh"


async def test_a_bare_memory_is_answered_from(stack: RunningStack) -> None:
    kept: dict[str, list[str]] = {}

    def add(turns: tuple[HistoryTurn, ...], user_id: str, session_id: str) -> None:
        kept.setdefault(user_id, []).extend(turn.content for turn in turns)

    def search(query: str, user_id: str, top_k: int) -> list[str]:
        words = set(query.lower().strip("?").split())
        return sorted(kept[user_id], key=lambda text: -len(words & set(text.lower().split())))[:top_k]

    result = await Suite.QUICK.run(from_memory(add, search, name="words"), stack=stack.stack, limit=LIMIT)

    assert result.complete
    assert 0 < result.overall < 100
    assert result.provenance.release_id == "toolkit-memory"
    assert result.agent == "words"


async def test_a_model_behind_an_endpoint_is_an_agent(stack: RunningStack) -> None:
    def reply(messages: Messages) -> str:
        scripted = Scripted(SCRIPT)
        told = [message for message in messages[:-1] if message["role"] != "system"]
        scripted.inject_history([HistoryTurn(role=each["role"], content=each["content"], session="s") for each in told])
        return scripted.ask(messages[-1]["content"]) or ""

    async with running_stub(reply=reply) as stub:
        agent = OpenAIChatAgent(stub.base_url, "stub-1")
        result = await Suite.QUICK.run(agent, stack=stack.stack, limit=LIMIT, temperature=0.0, answer_seed=7)

    assert result.overall == 100.0
    assert (result.agent, result.model) == ("stub-1", "stub-1")
    assert len(stub.requests) == result.planned, "one call of the model a question; the judge's is the release's"
    assert {(body["temperature"], body["seed"]) for body in stub.requests} == {(0.0, 7)}


async def test_one_fact_is_remembered_or_not(stack: RunningStack) -> None:
    def attentive(message: str) -> str:
        return "It is Python." if "My favourite language is Python" in message else UNKNOWN

    fact = "My favourite language is Python"

    assert await can_remember(attentive, fact, stack=stack.stack)
    forgotten = await can_remember(lambda message: UNKNOWN, fact, stack=stack.stack)
    assert not forgotten
    assert forgotten.answer == UNKNOWN
