"""Archives that lie, burst, lead out of their folder or hide something, and the ones that do not."""

import stat
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.gateway.donations.packages import (
    SMALL,
    by_hand,
    deflated,
    inspected,
    problem_of,
    zipped,
    zipped_as,
)

from aml.gateway.donations.package_report import MIB, PackageRefused

GOOD: dict[str, bytes | str] = {
    "README.md": "# A set",
    "LICENSE": "CC-BY-4.0",
    "schema.json": '{"type": "object"}',
    "data/train.jsonl": '{"question": "q", "answer": "a"}\n' * 50,
    "data/valid.csv": "question,answer\nq,a\n",
    "images/one.png": b"\x89PNG\r\n\x1a\n\x00",
}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_honest_archive_is_described(tmp_path: Path, method: int) -> None:
    report = inspected(tmp_path, zipped(GOOD, method=method), "set.zip")

    assert report.format == "zip"
    assert report.missing == ()
    assert {member.name for member in report.members} == set(GOOD)
    train = next(member for member in report.members if member.name == "data/train.jsonl")
    assert train.data is not None
    assert (train.data.rows, train.data.fields) == (50, ("question", "answer"))
    assert report.content_bytes == sum(len(content) for content in GOOD.values())


def test_what_a_full_package_should_hold_is_said_and_refuses_nothing(tmp_path: Path) -> None:
    report = inspected(tmp_path, zipped({"notes.txt": "none"}), "set.zip")

    assert report.missing == ("readme", "license", "schema", "data")


def test_a_bomb_of_one_member_stops_at_its_limit(tmp_path: Path) -> None:
    bomb = zipped({"zeros.txt": bytes(64 * MIB)})

    assert len(bomb) < 70_000
    assert "more than" in problem_of(tmp_path, bomb, "set.zip", SMALL)


def test_a_bomb_of_many_members_stops_at_the_total(tmp_path: Path) -> None:
    half = bytes(range(256)) * 4096 * 3  # 3 MiB each, under the limit of a member
    bomb = zipped({f"part{number}.txt": half for number in range(3)}, method=zipfile.ZIP_STORED)

    assert "inflates to more than" in problem_of(tmp_path, bomb, "set.zip", SMALL)


def test_a_size_that_is_claimed_too_small_is_found_by_inflating(tmp_path: Path) -> None:
    lying = by_hand([(b"a.txt", deflated(bytes(8 * MIB)), 10)])

    assert "inflates to more than" in problem_of(tmp_path, lying, "set.zip", SMALL)


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    packed = deflated(bytes(1000))
    overlapping = by_hand([(b"a.txt", packed, 1000)], [(0, 0, len(packed), 1000), (0, 0, len(packed), 1000)])

    assert "twice" in problem_of(tmp_path, overlapping, "set.zip")
    nested = by_hand([(b"a.txt", packed + bytes(64), 1000), (b"b.txt", packed, 1000)])
    offset = len(nested) // 4
    moved = by_hand(
        [(b"a.txt", packed + bytes(64), 1000), (b"b.txt", packed, 1000)],
        [(0, 0, len(packed) + 64, 1000), (1, min(offset, 40), len(packed), 1000)],
    )
    assert "overlaps" in problem_of(tmp_path, moved, "set.zip")


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../outside.txt",
        "data/../../outside.txt",
        "data/./a.txt",
        "data//a.txt",
        "C:/windows/a.txt",
        "C:a.txt",
        "data\\a.txt",
        "..\\a.txt",
        "con",
        "data/NUL.txt",
        "a.txt ",
        "a.",
        "a\u202etxt.exe",
        "a\tb",
        "what?.txt",
        "x" * 201,
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    assert problem_of(tmp_path, zipped_as(name), "set.zip")


@pytest.mark.parametrize(
    "names",
    [
        ("Data.txt", "data.txt"),
        ("caf\u00e9.txt", "cafe\u0301.txt"),
        ("Data/a.txt", "data/b.txt"),
        ("a", "a/b.txt"),
        ("stra\u00dfe.txt", "STRASSE.txt"),
    ],
)
def test_names_that_some_machine_takes_for_one_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    assert problem_of(tmp_path, zipped(dict.fromkeys(names, b"x")), "set.zip")


def test_a_link_a_device_and_a_secret_are_refused(tmp_path: Path) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO):
        made = zipped_as("a.txt", b"/etc/passwd", external_attr=(kind | 0o777) << 16)
        assert "link or a device" in problem_of(tmp_path, made, "set.zip")
    plain = bytearray(zipped({"a.txt": b"x"}))
    plain[6] |= 1
    plain[plain.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in problem_of(tmp_path, bytes(plain), "set.zip")


def test_an_archive_inside_is_refused_by_name_and_by_content(tmp_path: Path) -> None:
    inner = zipped({"a.txt": b"x"})

    assert "inside of the archive" in problem_of(tmp_path, zipped({"more.zip": inner}), "set.zip")
    assert "inside of the archive" in problem_of(tmp_path, zipped({"innocent.txt": inner}), "set.zip")
    tar = bytes(257) + b"ustar" + bytes(250)
    assert "inside of the archive" in problem_of(tmp_path, zipped({"innocent.dat": tar}), "set.zip")


def test_more_members_than_allowed_are_refused_before_they_are_listed(tmp_path: Path) -> None:
    many = zipped({f"{number}.txt": b"" for number in range(21)})

    assert "more than 20 members" in problem_of(tmp_path, many, "set.zip", SMALL)


def test_what_stands_before_behind_or_between_is_refused(tmp_path: Path) -> None:
    good = zipped({"a.txt": b"x"})

    assert problem_of(tmp_path, good + b"more", "set.zip")
    assert problem_of(tmp_path, b"PK\x03\x04" + good, "set.zip")
    assert problem_of(tmp_path, good[:-30], "set.zip")


def test_a_header_that_disagrees_with_the_directory_is_refused(tmp_path: Path) -> None:
    made = bytearray(zipped({"a.txt": b"x"}))
    made[30:35] = b"b.sh\x20"

    assert "says otherwise" in problem_of(tmp_path, bytes(made), "set.zip")


def test_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    made = bytearray(zipped({"a.txt": b"content"}, method=zipfile.ZIP_STORED))
    made[made.index(b"content")] ^= 1

    assert "checksum" in problem_of(tmp_path, bytes(made), "set.zip")


@settings(max_examples=150, deadline=None)
@given(position=st.integers(0, 2**31), value=st.integers(0, 255))
def test_any_changed_byte_is_refused_or_still_a_whole_package(position: int, value: int) -> None:
    changed = bytearray(zipped(GOOD))
    changed[position % len(changed)] = value
    with tempfile.TemporaryDirectory() as folder, suppress(PackageRefused):  # and nothing else
        assert inspected(Path(folder), bytes(changed), "set.zip", SMALL).format == "zip"


@settings(max_examples=50, deadline=None)
@given(
    contents=st.dictionaries(
        st.text("abcxyz0189_-", min_size=1, max_size=12).map(lambda name: f"{name}.bin"),
        st.binary(max_size=5000).map(lambda content: b"." + content),
        min_size=1,
        max_size=8,
    )
)
def test_every_honest_archive_passes_whole(contents: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = inspected(Path(folder), zipped(contents), "set.zip")

    assert {member.name: member.bytes for member in report.members} == {
        name: len(content) for name, content in contents.items()
    }
