import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from aml.toolkit.local import postgres_place
from aml.toolkit.local.home import make_home
from aml.toolkit.local.postgres_place import (
    abandon_place,
    can_pass,
    can_run,
    choose_account,
    copy_programs,
    settle,
    sweep,
)
from aml.toolkit.local.postgres_programs import find_programs, version_of
from aml.toolkit.local.process_plan import Account

NOBODY = Account(name="nobody", uid=65_534, gid=65_534)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to give way to another account")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """One that any account may enter; pytest's own are closed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch, open_folder: Path) -> Path:
    room = open_folder / "room"
    monkeypatch.setattr(postgres_place, "ROOMS", (room,))
    return room


def test_a_folder_is_reachable_only_through_folders_that_are(open_folder: Path) -> None:
    closed = open_folder / "closed"
    (closed / "inner").mkdir(parents=True)
    assert can_pass(closed / "inner", NOBODY)

    closed.chmod(0o700)

    assert not can_pass(closed / "inner", NOBODY)
    assert can_pass(open_folder, NOBODY)
    assert can_pass(closed / "inner", Account(name="me", uid=os.geteuid(), gid=os.getegid()))


def test_the_first_matching_class_decides_as_in_the_kernel(open_folder: Path) -> None:
    me, my_group = os.geteuid(), os.getegid()
    program = open_folder / "program"
    program.touch()

    program.chmod(0o055)
    assert not can_run(program, Account(name="owner", uid=me, gid=my_group))
    program.chmod(0o705)
    assert not can_run(program, Account(name="member", uid=NOBODY.uid, gid=my_group))
    assert can_run(program, NOBODY)
    program.chmod(0o754)
    assert not can_run(program, NOBODY)


@as_root
def test_a_reachable_home_keeps_its_cluster(open_folder: Path) -> None:
    layout = make_home(open_folder / "home")

    place = settle(layout, find_programs("wheel", ""))

    assert place.folder == layout.postgres
    assert place.account is not None
    assert layout.postgres.stat().st_uid == place.account.uid
    assert choose_account(layout.postgres) == place.account


@as_root
def test_an_unreachable_home_keeps_a_pointer_and_its_own_mode(tmp_path: Path, room: Path) -> None:
    tmp_path.chmod(0o700)
    layout = make_home(tmp_path / "home")

    place = settle(layout, find_programs("wheel", ""))

    assert place.folder.parent == room
    assert place.account is not None
    assert place.folder.stat().st_uid == place.account.uid
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    assert settle(layout, find_programs("wheel", "")).folder == place.folder

    abandon_place(layout)
    assert not place.folder.exists()
    assert settle(layout, find_programs("wheel", "")).folder != place.folder


@as_root
def test_a_cluster_elsewhere_is_kept_when_the_home_opens_up(open_folder: Path, room: Path) -> None:
    layout = make_home(open_folder / "home")
    layout.home.chmod(0o700)
    before = settle(layout, find_programs("wheel", ""))

    layout.home.chmod(0o755)

    assert settle(layout, find_programs("wheel", "")) == before
    assert before.folder.parent == room


@as_root
def test_a_cluster_in_a_home_that_closes_is_not_left_for_an_empty_one(open_folder: Path, room: Path) -> None:
    layout = make_home(open_folder / "home")
    settle(layout, find_programs("wheel", "")).marker.touch()

    layout.home.chmod(0o700)

    with pytest.raises(postgres_place.PostgresUnusable, match=r"cannot enter .* any more"):
        settle(layout, find_programs("wheel", ""))
    assert not list(room.glob("*.home")), "no second place was begun"


@as_root
def test_unreachable_binaries_are_copied_once_and_run_from_there(tmp_path: Path, room: Path) -> None:
    original = find_programs("wheel", "")

    copy = copy_programs(original, NOBODY)
    made = copy.postgres.stat().st_ctime_ns

    assert room in copy.bin.parents
    assert can_run(copy.postgres, NOBODY)
    assert version_of(copy.bin) == original.version
    assert copy_programs(original, NOBODY) == copy
    assert copy.postgres.stat().st_ctime_ns == made
    assert not list(room.glob(".programs-*"))


@as_root
def test_a_room_that_others_can_write_is_not_used(tmp_path: Path, room: Path) -> None:
    room.mkdir()
    room.chmod(0o777)
    layout = make_home(tmp_path / "home")
    tmp_path.chmod(0o700)

    with pytest.raises(postgres_place.PostgresUnusable, match="choose a --home"):
        settle(layout, find_programs("wheel", ""))


@as_root
def test_clusters_of_temporary_homes_that_are_gone_are_swept(tmp_path: Path, room: Path) -> None:
    room.mkdir()
    homes = {"gone": tmp_path / "gone", "kept": tmp_path, "unmounted": Path("/mnt/absent/home")}
    for name, home in homes.items():
        (room / name).mkdir()
        (room / f"{name}.home").write_text(str(home))

    sweep((room,))

    assert {path.name for path in room.iterdir()} == {"kept", "kept.home", "unmounted", "unmounted.home"}


@pytest.mark.skipif(os.geteuid() == 0, reason="for an ordinary user")
def test_an_ordinary_user_stays_who_he_is(tmp_path: Path) -> None:
    place = settle(make_home(tmp_path), find_programs("wheel", ""))

    assert place.account is None
    assert place.folder == tmp_path / "postgres"
