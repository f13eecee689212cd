from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.factories.faulty_disk import FAULTS, Fault, FaultyDisk, Killed

from aml.toolkit.witness.errors import WitnessUnusable
from aml.toolkit.witness.judge_checkpoint import Seen
from aml.toolkit.witness.witness_memory import WitnessMemory


def seen(size: int, origin: str = "a.example/log") -> Seen:
    return Seen(origin=origin, size=size, root="0" * 64)


def accept(_: Seen | None) -> None: ...


def test_what_was_seen_is_remembered_by_log(tmp_path: Path) -> None:
    with WitnessMemory(tmp_path) as memory:
        memory.advance(seen(3), accept)
        memory.advance(seen(9, "b.example/log"), accept)
    with WitnessMemory(tmp_path) as memory:
        assert (memory.last("a.example/log"), memory.last("b.example/log")) == (seen(3), seen(9, "b.example/log"))
        assert memory.last("c.example/log") is None


def test_what_the_check_refuses_is_not_remembered(tmp_path: Path) -> None:
    def refuse(before: Seen | None) -> None:
        assert before == seen(3)
        raise RuntimeError("no")

    with WitnessMemory(tmp_path) as memory:
        memory.advance(seen(3), accept)
        with pytest.raises(RuntimeError):
            memory.advance(seen(4), refuse)
        assert memory.last("a.example/log") == seen(3)


def test_checking_and_writing_are_one_step(tmp_path: Path) -> None:
    """Of many that start from one size each next size is taken once, and none is taken back."""
    taken: list[int] = []

    def one(size: int) -> None:
        def check(before: Seen | None) -> None:
            if (before.size if before is not None else 0) != size - 1:
                raise LookupError

        try:
            memory.advance(seen(size), check)
        except LookupError:
            return
        taken.append(size)

    with WitnessMemory(tmp_path) as memory, ThreadPoolExecutor(8) as pool:
        list(pool.map(one, [n for n in range(1, 30) for _ in range(4)]))
    assert taken == sorted(set(taken))
    assert memory.last("a.example/log") == seen(taken[-1])


def test_two_processes_cannot_share_a_memory(tmp_path: Path) -> None:
    with WitnessMemory(tmp_path), pytest.raises(WitnessUnusable, match="another witness"), WitnessMemory(tmp_path):
        pass


def test_a_damaged_memory_is_no_empty_one(tmp_path: Path) -> None:
    with WitnessMemory(tmp_path) as memory:
        memory.advance(seen(3), accept)
        file = next(tmp_path.glob("*.json"))
        file.write_text(file.read_text()[:20])
        with pytest.raises(WitnessUnusable, match="damaged"):
            memory.advance(seen(4), accept)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_while_remembering_leaves_the_old_or_the_new(tmp_path: Path, fault: Fault) -> None:
    for step in range(10):
        disk = FaultyDisk()
        with WitnessMemory(tmp_path / f"{step}", disk) as memory:
            memory.advance(seen(3), accept)
            disk.heal()
            disk.fail_at(step, fault)
            done = True
            try:
                memory.advance(seen(4), accept)
            except (OSError, Killed):
                done = False
            assert memory.last("a.example/log") in ([seen(4)] if done else [seen(3), seen(4)])
        if done:
            return
    pytest.fail("the sweep did not come to the last step")
