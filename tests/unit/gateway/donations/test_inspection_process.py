"""Reading apart: the same report, the same refusal, and an end to what takes for ever."""

from pathlib import Path

import pytest
from tests.unit.gateway.donations.packages import zipped

from aml.gateway.donations.inspection_process import inspect_apart
from aml.gateway.donations.package_report import PackageRefused


async def test_a_package_is_described(tmp_path: Path) -> None:
    path = tmp_path / "package"
    path.write_bytes(zipped({"data.jsonl": '{"a": 1}\n'}))

    report = await inspect_apart(path, "set.zip")

    assert [member.name for member in report.members] == ["data.jsonl"]


async def test_a_refusal_keeps_its_words(tmp_path: Path) -> None:
    path = tmp_path / "package"
    path.write_bytes(b"a,b\n1,2,3\n")

    with pytest.raises(PackageRefused, match="line 2 has 3 fields"):
        await inspect_apart(path, "set.csv")


async def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "package"
    path.write_bytes(b'{"a": 1}\n' * 2_000_000)

    with pytest.raises(PackageRefused, match="longer"):
        await inspect_apart(path, "set.jsonl", seconds=0.2)


async def test_a_file_that_is_gone_is_a_refusal_and_no_crash(tmp_path: Path) -> None:
    with pytest.raises(PackageRefused):
        await inspect_apart(tmp_path / "gone", "set.csv")
