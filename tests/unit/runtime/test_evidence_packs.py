"""Packs: what is appended is found by anybody, torn ends hide nothing, and what is swept or destroyed stays away."""

import errno
import os
from pathlib import Path

import pytest

from aml.runtime.evidence_packs import EvidencePacks, drop_members, pack_members

ONE, TWO, THREE = ("1" * 64, "2" * 64, "3" * 64)


def packs_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.pack"))


def test_another_process_finds_what_was_appended_before_and_after_it_looked(tmp_path: Path) -> None:
    writer, reader = EvidencePacks(tmp_path), EvidencePacks(tmp_path)
    writer.append("job", ONE, b"one")

    assert reader.find("job", ONE) == b"one"
    assert reader.find("job", TWO) is None
    writer.append("job", TWO, b"two")
    assert reader.find("job", TWO) == b"two"


def test_each_process_has_a_pack_of_its_own(tmp_path: Path) -> None:
    first, second = EvidencePacks(tmp_path), EvidencePacks(tmp_path)
    first.append("job", ONE, b"one")
    second.append("job", TWO, b"two")

    assert len(packs_of(tmp_path)) == 2
    assert (first.find("job", TWO), second.find("job", ONE)) == (b"two", b"one")


def test_a_job_without_evidence_has_none(tmp_path: Path) -> None:
    assert EvidencePacks(tmp_path).find("job", ONE) is None


def test_a_write_that_fails_half_way_leaves_the_pack_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packs = EvidencePacks(tmp_path)
    packs.append("job", ONE, b"one")
    really = os.write
    calls: list[int] = []

    def fills_up(descriptor: int, data: memoryview) -> int:
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return really(descriptor, data[:10])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", fills_up)
        with pytest.raises(OSError, match="No space left"):
            packs.append("job", TWO, b"two")
    packs.append("job", THREE, b"three")

    assert [each.digest.hex() for each in pack_members(packs_of(tmp_path)[0])] == [ONE, THREE]
    assert EvidencePacks(tmp_path).find("job", THREE) == b"three"


def test_members_are_dropped_and_the_others_stay(tmp_path: Path) -> None:
    packs = EvidencePacks(tmp_path)
    for digest, data in ((ONE, b"one"), (TWO, b"two"), (THREE, b"three")):
        packs.append("job", digest, data)
    (pack,) = packs_of(tmp_path)

    drop_members(pack, frozenset({bytes.fromhex(TWO)}))

    fresh = EvidencePacks(tmp_path)
    assert [fresh.find("job", each) for each in (ONE, TWO, THREE)] == [b"one", None, b"three"]
    drop_members(pack, frozenset({bytes.fromhex(ONE), bytes.fromhex(THREE)}))
    assert packs_of(tmp_path) == []


def test_a_writer_whose_pack_was_taken_away_begins_a_new_one(tmp_path: Path) -> None:
    packs = EvidencePacks(tmp_path)
    packs.append("job", ONE, b"one")
    packs_of(tmp_path)[0].unlink()

    packs.append("job", TWO, b"two")

    assert EvidencePacks(tmp_path).find("job", TWO) == b"two"


def test_more_jobs_than_stay_open_are_all_found(tmp_path: Path) -> None:
    packs = EvidencePacks(tmp_path)
    for number in range(150):
        packs.append(f"job-{number}", ONE, str(number).encode())

    assert [packs.find(f"job-{number}", ONE) for number in (0, 149, 70, 0)] == [b"0", b"149", b"70", b"0"]
    packs.append("job-0", TWO, b"again")
    assert packs.find("job-0", TWO) == b"again"
