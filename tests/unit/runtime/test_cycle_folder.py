from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from aml.runtime.cycle_folder import CycleError, bundled_cycles, inconsistencies, load_cycles

BUNDLED = (bundled_cycles() / "2026-2.toml").read_text("utf-8")


def a_folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_bundled_cycle_has_its_dates_with_their_offset() -> None:
    cycle = next(each for each in load_cycles() if each.cycle_id == "2026-2")

    assert cycle.opens_at == datetime(2026, 9, 19, 16, 0, tzinfo=UTC)
    assert cycle.materials_close_at == datetime(2026, 10, 31, 15, 59, tzinfo=UTC)
    assert cycle.evaluation_closes_at == datetime(2026, 11, 4, 15, 59, tzinfo=UTC)
    assert cycle.timezone == "UTC+8"


@pytest.mark.parametrize("track", ["textual", "coding", "multimodal"])
def test_each_track_awards_the_same_and_to_open_source_alone(track: str) -> None:
    (cycle,) = load_cycles()
    prizes = [each for each in cycle.prizes if each.track == track]

    assert {each.division for each in prizes} == {"open_source"}
    assert [(each.places, each.award) for each in prizes] == [(1, "rank"), (2, "rank"), (3, "rank"), (1, "jury")]
    assert sum(each.places * each.amount for each in prizes) == 50_000


def test_a_folder_of_ones_own_replaces_the_bundled_one_and_the_latest_comes_first(tmp_path: Path) -> None:
    later = BUNDLED.replace("2026-2", "next").replace("2026-09-20", "2026-09-21")
    earlier = BUNDLED.replace("2026-2", "first")

    assert [each.cycle_id for each in load_cycles(a_folder(tmp_path, first=earlier, next=later))] == ["next", "first"]


def test_a_folder_that_is_missing_is_no_empty_one(tmp_path: Path) -> None:
    with pytest.raises(CycleError, match="no folder"):
        load_cycles(tmp_path / "gone")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('cycle_id = "2026-2"', 'cycle_id = "other"', "file's name"),
        ("opens_at = 2026-09-20T00:00:00+08:00", "opens_at = 2026-09-20T00:00:00", "opens_at"),
        ("opens_at = 2026-09-20", "opens_at = 2026-12-20", "must follow"),
        ('timezone = "UTC+8"', 'timezone = "Beijing"', "timezone"),
        ('currency = "CNY"', 'currency = "yuan"', "currency"),
        ('timezone = "UTC+8"', 'timezone = "UTC+8"\nsponsor = "x"', "sponsor"),
        ('timezone = "UTC+8"', 'timezone = "UTC+8"\nrepository = "http://x"', "https://"),
        ('timezone = "UTC+8"', 'timezone = "UTC+8"\npublishes_at = 2026-01-01T00:00:00Z', "publishes_at"),
        ('division = "open_source"', 'division = "baseline"', "does not have"),
        ("[quotas]", "[quotas", "TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert old in BUNDLED
    with pytest.raises(CycleError, match=named):
        load_cycles(a_folder(tmp_path, **{"2026-2": BUNDLED.replace(old, new, 1)}))


def test_a_track_may_stand_once() -> None:
    (cycle,) = load_cycles()

    doubled = replace(cycle, tracks=(*cycle.tracks, cycle.tracks[0]))

    assert list(inconsistencies(doubled, "2026-2")) == ["a track is listed twice"]
