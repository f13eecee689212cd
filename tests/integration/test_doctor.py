"""The contract doctor against sound servers and against each bundled broken one: exactly the fault that it has."""

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.factories.doctor_visits import KEY, Found, serving, visit

from aml.examples.bm25s_memory import Bm25sMemory
from aml.examples.broken.faults import FAULTS
from aml.examples.broken.sound import Sound
from aml.examples.fts5 import Fts5Memory
from aml.examples.serve import application
from aml.runtime.doctor import CHECKS
from aml.runtime.doctor.checks import texts

FAILED, WARNING = "failed", "warning"

EXPECTED: dict[str, dict[str, tuple[str, str]]] = {
    "none": {},
    "echo_lower_case": {"echo": (FAILED, "echo")},
    "echo_normalised": {"echo": (FAILED, "echo")},
    "echo_trimmed": {"echo": (FAILED, "echo")},
    "no_echo": {"add": (FAILED, "schema")},
    "success_as_text": {"add": (FAILED, "schema")},
    "accepted_202": {"add": (FAILED, "http")},
    "items_wrapper": {"search": (FAILED, "schema")},
    "top_level_array": {"search": (FAILED, "schema")},
    "over_top_k": {"top_k": (FAILED, "limit")},
    "empty_content": {"search": (FAILED, "schema")},
    "numeric_id": {"search": (FAILED, "schema")},
    "score_as_text": {"search": (FAILED, "schema")},
    "not_a_number": {"search": (FAILED, "json")},
    "not_found_404": {"empty_result": (FAILED, "http")},
    "null_for_nothing": {"empty_result": (FAILED, "schema")},
    "worst_first": {"order": (WARNING, "scores_rise")},
    "ids_of_the_moment": {"order": (WARNING, "ids_change")},
    "no_options": {"options": (FAILED, "http")},
    "no_parts": {"multimodal": (FAILED, "http")},
    "leaks_across_users": {"isolation": (FAILED, "leak")},
    "leaks_to_prefixes": {"isolation": (FAILED, "leak")},
    "leaks_across_case": {"isolation": (FAILED, "leak")},
    "forgets_on_restart": {"restart": (FAILED, "forgotten")},
    "not_idempotent": {"repeated_add": (FAILED, "duplicated")},
    "refuses_retries": {"repeated_add": (FAILED, "refused")},
    "last_body_wins": {"changed_body": (WARNING, "rewritten")},
    "global_request_ids": {"shared_request_id": (WARNING, "swallowed")},
    "late_index": {"read_your_write": (FAILED, "late")},
    "remembers_nothing": {"read_your_write": (FAILED, "not_found")},
    "ascii_only": {"unicode": (FAILED, "lost")},
    "normalises_text": {"unicode": (WARNING, "altered")},
    "first_messages_only": {"twenty_messages": (FAILED, "lost")},
    "cuts_long_text": {"long_message": (FAILED, "cut_off")},
    "invents_memories": {"empty_result": (FAILED, "not_empty")},
    "ignores_keys": {"wrong_key": (FAILED, "accepted"), "no_key": (FAILED, "accepted")},
    "takes_any_key": {"wrong_key": (FAILED, "accepted")},
    "open_search": {"wrong_key": (FAILED, "accepted"), "no_key": (FAILED, "accepted")},
    "refuses_the_key": {"right_key": (FAILED, "authentication")},
    "unhealthy": {"health": (FAILED, "http")},
    "slow_44_ms": {"latency": (WARNING, "flat_40ms")},
    "few_at_once": {"concurrency": (WARNING, "busy")},
    "small_bodies": {"large_body": (FAILED, "http")},
    "wants_timestamps": {"timestamps": (FAILED, "http")},
    "breaks_at_quotes": {"naughty_strings": (FAILED, "http")},
    "breaks_at_nul": {"nul_character": (WARNING, "http")},
    "empty_objects": {"add": (FAILED, "schema"), "search": (FAILED, "schema")},
    "web_page": {"add": (FAILED, "json"), "search": (FAILED, "json")},
    "extra_object": {"add": (FAILED, "json"), "search": (FAILED, "json")},
}


async def visit_to(server: Sound, **options: Any) -> Found:
    async def restart() -> None:
        server.load()

    async with serving(server.application()) as base:
        return Found(
            await visit(base, key=KEY, track="multimodal", restart=restart, add_concurrency=8, search_concurrency=8)
        )


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_broken_example_is_found_to_have_exactly_its_fault(fault: str, tmp_path: Path) -> None:
    found = await visit_to(FAULTS[fault](token=KEY, journal=tmp_path / "journal"))

    assert found.faults == EXPECTED[fault]
    assert found.report.passed == all(outcome != FAILED for outcome, _ in EXPECTED[fault].values())
    for name in EXPECTED[fault]:
        report = found.of(name)
        assert report.finding
        assert report.why
        assert report.mend
        assert report.sent
        assert report.received


def test_every_broken_example_has_its_expectation() -> None:
    assert set(EXPECTED) == set(FAULTS)


@pytest.mark.parametrize("memory", [Fts5Memory, Bm25sMemory])
@pytest.mark.parametrize("key", [None, KEY])
@pytest.mark.parametrize("track", ["textual", "multimodal"])
async def test_all_checks_pass_against_each_good_example(memory: Any, key: str | None, track: str) -> None:
    kept = memory()
    started = time.perf_counter()
    try:
        async with serving(application(kept, key)) as base:
            found = Found(await visit(base, key=key, track=track))
    finally:
        kept.close()
    assert found.faults == {}
    assert found.report.passed
    skipped = {each.name for each in found.report.checks if each.outcome == "skipped"}
    assert skipped == {"restart"} | ({"wrong_key", "no_key"} if key is None else set()) | (
        {"multimodal"} if track == "textual" else set()
    )
    assert time.perf_counter() - started < 30


VECTORS = Path(__file__).parents[2] / "../shared/vectors/strings/blns.json"


@pytest.mark.skipif(not VECTORS.exists(), reason="the shared string vectors are not here")
@pytest.mark.parametrize("memory", [Fts5Memory, Bm25sMemory])
async def test_the_good_examples_take_every_published_naughty_string(memory: Any, monkeypatch: Any) -> None:
    published = {f"string {n}": text for n, text in enumerate(json.loads(VECTORS.read_text("utf-8"))) if text.strip()}
    assert len(published) > 400
    monkeypatch.setattr(texts, "NAUGHTY", published)
    checks = [check for check in CHECKS if check.name in ("reach", "right_key", "add", "search", "naughty_strings")]
    kept = memory()
    try:
        async with serving(application(kept)) as base:
            found = Found(await visit(base, checks=checks))
    finally:
        kept.close()
    assert found.faults == {}
    assert found.of("naughty_strings").calls > 400


async def test_the_key_is_in_no_report(tmp_path: Path) -> None:
    class Telltale(Sound):
        def add_reply(self, add: Any) -> Any:
            return {"success": f"your key is {self.token}"}

        def item(self, score: float, kept: Any) -> dict[str, Any]:
            return super().item(score, kept) | {"content": f"{self.token} {kept.content}"}

    found = await visit_to(Telltale(token=KEY, journal=tmp_path / "journal"))

    assert found.faults == {"add": (FAILED, "schema")}
    assert KEY not in msgspec.json.encode(found.report).decode()


async def test_a_dead_host_is_one_failure_and_nothing_else_is_tried() -> None:
    found = Found(await visit("http://127.0.0.1:9"))

    assert found.faults == {"reach": (FAILED, "transport")}
    assert {each.outcome for each in found.report.checks} == {"failed", "skipped"}


async def test_what_does_not_fit_into_the_budget_is_skipped_and_stops_nobody(tmp_path: Path) -> None:
    async with serving(FAULTS["slow_44_ms"]().application()) as base:
        found = Found(await visit(base, budget_seconds=0.5))

    assert found.report.passed
    assert found.of("latency").outcome == "skipped"
    assert "out_of_time" in {each.code for each in found.report.checks}
    assert found.report.took < 2_000_000
