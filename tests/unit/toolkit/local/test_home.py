import stat
from pathlib import Path

import pytest
from msgspec import Struct

from aml.toolkit.local.home import (
    HomeBusy,
    HomeUnusable,
    encode_record,
    hold_home,
    keep_secret,
    make_home,
    read_record,
    write_private,
)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_makes_secrets_that_only_their_owner_reads(tmp_path: Path) -> None:
    layout = make_home(tmp_path / "home")

    assert {mode_of(file) for file in layout.secrets.iterdir()} == {0o600}
    assert mode_of(layout.secrets) == mode_of(layout.logs) == mode_of(layout.evidence) == 0o700
    assert len(bytes.fromhex(layout.kek_file.read_text())) == 32


def test_a_second_start_keeps_every_secret(tmp_path: Path) -> None:
    layout = make_home(tmp_path / "home")
    before = {file.name: file.read_text() for file in layout.secrets.iterdir()}

    make_home(tmp_path / "home")

    assert {file.name: file.read_text() for file in layout.secrets.iterdir()} == before
    assert len(set(before.values())) == len(before)


def test_an_empty_secret_file_from_a_full_disk_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch()

    assert keep_secret(file, "fresh") == "fresh"
    assert file.read_text() == "fresh"


def test_folders_that_exist_keep_their_mode(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)

    make_home(home)

    assert mode_of(home) == 0o700


def test_a_file_in_place_of_the_home_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")

    with pytest.raises(HomeUnusable, match=r"cannot be used: .*--home"):
        make_home(tmp_path / "home")


def test_the_second_holder_is_told_who_the_first_is(tmp_path: Path) -> None:
    layout = make_home(tmp_path)

    with hold_home(layout):
        with pytest.raises(HomeBusy) as refused, hold_home(layout):
            pass
        assert refused.value.holder.isdigit()
    with hold_home(layout):
        pass


def test_a_link_left_in_the_way_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "file").symlink_to(victim)

    write_private(tmp_path / "file", "new")

    assert victim.read_text() == "precious"
    assert (tmp_path / "file").read_text() == "new"
    assert not (tmp_path / "file").is_symlink()


class Note(Struct, frozen=True):
    where: Path


@pytest.mark.parametrize("text", ["", "{", '{"where": 3}', '{"other": "x"}'])
def test_a_torn_record_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "note").write_text(text)

    assert read_record(tmp_path / "note", Note) is None


def test_a_record_survives_the_disk(tmp_path: Path) -> None:
    note = Note(tmp_path)
    write_private(tmp_path / "note", encode_record(note))

    assert read_record(tmp_path / "note", Note) == note
    assert read_record(tmp_path / "absent", Note) is None
