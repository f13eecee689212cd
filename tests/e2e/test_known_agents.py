"""The suites against agents whose memory is known exactly: each metric moves as theory says, and no other one does.

One perfect agent is the measure; every other one differs from it in one way, and so must its result.
"""

import pytest
import pytest_asyncio
from tests.e2e.full_suite import SCRIPT, full, scores
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
)

from aml.contracts.verdicts import AnswerScored
from aml.toolkit import (
    AgentFactory,
    MemoryAssertionError,
    Suite,
)
from aml.toolkit.metrics.reducer_fidelity import fidelity_score
from aml.toolkit.results import SuiteResult

pytestmark = [pytest.mark.stack, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def perfect(stack: RunningStack) -> SuiteResult:
    return await full(stack, lambda: Scripted(SCRIPT))


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
