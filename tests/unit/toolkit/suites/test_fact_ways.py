import pytest

from aml.rules.fact_match import says
from aml.toolkit.suites.fact_ways import iso_day, ways_to_say


@pytest.mark.parametrize(
    "text",
    ["on 3 March 2025", "March 3, 2025", "2025-03-03", "on the 3rd of March", "on March 3rd", "Mar 3", "3 March"],
)
def test_an_english_day_is_said_in_many_ways(text: str) -> None:
    assert says(text, ways_to_say(("2025-03-03",), "en"))


@pytest.mark.parametrize("text", ["13 March 2025", "March 30", "3 May", "2025-03-13", "March"])
def test_another_day_is_not_that_day(text: str) -> None:
    assert not says(text, ways_to_say(("2025-03-03",), "en"))


@pytest.mark.parametrize("text", ["2025年3月3日", "3月3号", "2025-03-03", "是3月3日那天"])
def test_a_chinese_day(text: str) -> None:
    assert says(text, ways_to_say(("2025-03-03",), "zh"))


@pytest.mark.parametrize(
    ("day", "nth"), [(1, "1st"), (2, "2nd"), (11, "11th"), (12, "12th"), (22, "22nd"), (23, "23rd")]
)
def test_ordinals(day: int, nth: str) -> None:
    assert f"{nth} of May" in ways_to_say((f"2025-05-{day:02}",), "en")


def test_other_ways_stay_as_they_are_and_once() -> None:
    assert ways_to_say(("shelf 9", "nine", "shelf 9"), "en") == ("shelf 9", "nine")


@pytest.mark.parametrize("text", ["2025-13-01", "2025-3-3", "20250303xx", "2025-03-03 "])
def test_what_is_no_iso_day(text: str) -> None:
    assert iso_day(text) is None


@pytest.mark.parametrize("text", ["Nov 12th", "the 12th of November", "November 12, 2025", "12 Nov"])
def test_a_day_and_a_month_stand_for_all_ways_to_write_them(text: str) -> None:
    assert says(text, ways_to_say(["12 November"], "en"))


@pytest.mark.parametrize("way", ["31 February", "12 Novembers", "0 May", "12 November 2025"])
def test_what_is_no_day_and_month_stays_as_it_is(way: str) -> None:
    assert ways_to_say([way], "en") == (way,)


def test_a_day_by_numbers_where_no_other_could_be_meant() -> None:
    assert says("18/03/2025", ways_to_say(["2025-03-18"], "en"))
    assert says("3/18/2025", ways_to_say(["2025-03-18"], "en"))
    assert not says("04/03/2025", ways_to_say(["2025-03-04"], "en"))


@pytest.mark.parametrize(
    ("iso", "written"), [("2025-04-14", "四月十四日"), ("2025-11-20", "十一月二十号"), ("2025-10-31", "十月三十一日")]
)
def test_a_chinese_day_in_chinese_numerals(iso: str, written: str) -> None:
    assert says(f"是{written}。", ways_to_say([iso], "zh"))
