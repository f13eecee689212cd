"""Each misbehaviour ends in its own error, in bounded memory, and shows nobody the key."""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from tests.hostile.calling import ADD, KEY, LARGE, POLICY, QUICK, SEARCH, SMALL, a_client
from tests.hostile.hostile_server import hostile
from tests.hostile.misbehaviours import MISBEHAVIOURS, TOLERATED, Misbehaviour, Oddity

from aml.runtime.participant import ParticipantError

REASONS = {"authentication": "authentication", "limit": "limit"}

# What may be held at once, the hostile server's own buffers included: bodies of up to 1 MiB and what is made of them; of
# 30 MiB, the pieces that were read, the body they make, and the bytes of its `data`.
SMALL_MIB, LARGE_MIB = 12, 100


@pytest.fixture(scope="module", autouse=True)
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


async def failure(case: Misbehaviour) -> tuple[ParticipantError, list[bytes], float]:
    """The error, the requests' heads, and MiB held at the peak."""
    limits = QUICK if case.quick else LARGE if case.limits == "large" else SMALL
    changes: dict[str, Any] = {"limits": limits, "multimodal": case.multimodal}
    async with hostile(case.speak) as server:
        if case.status_url:
            changes["status_url"] = f"{server.base}/tasks/{{task_id}}"
        async with a_client(server.base, **changes) as client:
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            with pytest.raises(ParticipantError) as raised:
                await (client.add(ADD) if case.call == "add" else client.search(SEARCH))
            _, peak = tracemalloc.get_traced_memory()
        return raised.value, server.heads, (peak - before) / (1 << 20)


@pytest.mark.parametrize("case", MISBEHAVIOURS, ids=lambda case: case.name)
async def test_a_misbehaviour_ends_in_its_error(case: Misbehaviour) -> None:
    error, heads, mib = await failure(case)

    assert type(error) is case.error
    assert case.problem in error.problem
    assert error.path == case.path
    assert error.retryable is case.retried
    assert error.unscored_reason == ("transport" if case.retried else REASONS.get(error.layer, "contract"))
    posts = sum(head.startswith(b"POST") for head in heads)
    assert error.calls == posts == (POLICY.attempts if case.retried else 1)
    assert [each.layer for each in error.attempts][-1] == error.layer
    assert (error.call, error.request_id) == (case.call, ADD.request_id if case.call == "add" else None)
    assert mib < (LARGE_MIB if case.limits == "large" else SMALL_MIB)
    assert len(str(error)) < 2_000
    assert str(error).isprintable()
    assert KEY not in str(error)


@pytest.mark.parametrize("case", TOLERATED, ids=lambda case: case.name)
async def test_what_is_odd_but_allowed_is_read_as_meant(case: Oddity) -> None:
    async with hostile(case.speak) as server, a_client(server.base) as client:
        if case.memories is None:
            assert (await client.add(ADD)).calls == 1
        else:
            found = await client.search(SEARCH)
            assert tuple((each.id, each.content) for each in found.memories) == case.memories


def test_the_table_is_long_and_says_each_thing_once() -> None:
    names = [case.name for case in (*MISBEHAVIOURS, *TOLERATED)]
    assert len(names) == len(set(names))
    assert len(names) >= 60
