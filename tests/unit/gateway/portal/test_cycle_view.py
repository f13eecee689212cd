"""A cycle's facts as they are shown."""

from datetime import datetime

from aml.gateway.portal.cycle_view import announced, pool, prize_lines, said, utc
from aml.runtime.cycle_folder import load_cycles

CYCLE = load_cycles()[0]


def test_a_date_is_shown_as_announced_and_in_utc() -> None:
    at = datetime.fromisoformat("2026-11-04T23:59:00+08:00")

    assert announced(at, "UTC+8") == "2026-11-04 23:59 UTC+8"
    assert utc(at) == "2026-11-04 15:59 UTC"


def test_prizes_add_up_by_track_and_in_all() -> None:
    lines = prize_lines(CYCLE)

    assert [line.track for line in lines] == [each.track for each in CYCLE.tracks]
    assert {line.total for line in lines} == {50_000}
    assert pool(lines) == "CNY 150,000"
    assert pool(()) is None


def test_words_follow_the_language() -> None:
    assert said(CYCLE.name, "en") == CYCLE.name.en
    assert said(CYCLE.name, "zh") == CYCLE.name.zh
