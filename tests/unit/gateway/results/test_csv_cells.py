"""A spreadsheet calculates nothing of what a participant wrote."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.results.csv_cells import csv_line


def read_back(line: bytes) -> list[str]:
    (row,) = csv.reader(io.StringIO(line.decode(), newline=""))
    return row


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1d1"])
def test_what_would_be_calculated_gets_an_apostrophe(text: str) -> None:
    assert read_back(csv_line([text])) == [f"'{text}"]


def test_numbers_and_what_is_missing_stay_as_they_are() -> None:
    assert csv_line([-3, 0.5, None, True, "plain, text"]) == b'-3,0.5,,True,"plain, text"\r\n'


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=20), min_size=2))
def test_every_line_reads_back(cells: list[str]) -> None:
    back = read_back(csv_line(cells))

    assert [cell.removeprefix("'") for cell in back] == [cell.removeprefix("'") for cell in cells]
