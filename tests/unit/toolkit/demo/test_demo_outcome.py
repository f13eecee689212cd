from typing import Any

import msgspec
import pytest
from tests.factories.boards import a_shown_board
from tests.factories.platform_views import a_job, results_of
from tests.factories.results import a_gate, a_result

from aml.contracts.seals import GatePassed
from aml.toolkit.demo.cast import SYSTEMS
from aml.toolkit.demo.demo_outcome import SystemOutcome, find_problems, system_outcome
from aml.toolkit.demo.verify_board import Verification
from aml.toolkit.demo.walk import Walked

VERIFIED = (Verification(check="checkpoint signature", passed=True, detail="good"),)


def a_system(gate: GatePassed) -> SystemOutcome:
    smoke = results_of(a_gate(f"smoke-{gate.job_id}"))
    walked = Walked(
        system=gate.subject.system,
        version="1",
        version_id="ver-1",
        access_id="acc-1",
        smoke=smoke,
        full=results_of(gate),
        full_job=a_job(gate.job_id),
        decision="approve",
    )
    [row] = a_shown_board([gate]).board.rows
    return system_outcome(walked, row)


def everybody() -> dict[str, SystemOutcome]:
    return {name: a_system(a_gate(f"job-{n}", system=name)) for n, name in enumerate(SYSTEMS)}


def test_a_whole_demo_has_no_problem() -> None:
    assert find_problems(everybody(), VERIFIED) == ()


def test_every_system_and_dataset_has_its_counts() -> None:
    written: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(everybody()))

    assert set(written) == set(SYSTEMS)
    for system in written.values():
        assert system["jobs"]["smoke"]
        assert system["jobs"]["full"]
        assert set(system["datasets"]["practice"]) >= {"planned", "scored", "correct", "incorrect", "unscored"}
        assert system["overall"]["interval"][0] <= system["overall"]["score"] <= system["overall"]["interval"][1]
        assert system["board"]["rank"] == 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"board": None}, "is not on the board"),
        ({"datasets": {}}, "has no dataset"),
    ],
)
def test_what_is_missing_is_named(change: dict[str, Any], problem: str) -> None:
    systems = everybody()
    name = SYSTEMS[0]
    systems[name] = msgspec.structs.replace(systems[name], **change)

    assert find_problems(systems, VERIFIED) == (f"{name} {problem}",)


def test_a_system_without_a_score_is_a_problem() -> None:
    systems = everybody()
    unfinished = results_of(a_gate("job-0", system=SYSTEMS[0], result=a_result(None)))
    walked = Walked(
        system=SYSTEMS[0], version="1", version_id="v", access_id=None, smoke=None, full=unfinished,
        full_job=a_job(), decision="approve",
    )  # fmt: skip
    systems[SYSTEMS[0]] = system_outcome(walked, None)

    problems = find_problems(systems, VERIFIED)
    assert f"{SYSTEMS[0]} has no Overall" in problems
    assert f"{SYSTEMS[0]} is not on the board" in problems


def test_an_absent_system_and_a_failed_check_are_problems() -> None:
    systems = everybody()
    del systems[SYSTEMS[-1]]
    failed = Verification(check="inclusion proofs", passed=False, detail="bm25s: another root")

    assert find_problems(systems, (failed,)) == (
        f"{SYSTEMS[-1]} is missing",
        "not verified: inclusion proofs: bm25s: another root",
    )
