"""Where a cluster lies, and as whom it runs.

Postgres refuses to run as root, so root's stack drops to an unprivileged account. That account may not be able to reach
the data folder or the wheel (a checkout below a folder of mode 0700). Folders that are not ours are never opened up:
what cannot be reached is placed in a folder that root makes for the purpose, and the home records where.
"""

import hashlib
import os
import pwd
import secrets
import shutil
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from .errors import LocalStackError
from .home import Layout, encode_record, read_record, write_private
from .postgres_programs import Programs
from .process_plan import Account

ACCOUNTS = ("postgres", "nobody")
ROOMS = (Path("/var/lib/aml"), Path("/var/tmp/aml"), Path("/opt/aml"))  # noqa: S108 - checked to be root's own before use


class PostgresUnusable(LocalStackError):
    def __init__(self, problem: str) -> None:
        super().__init__(f"Postgres cannot be used: {problem}")
        self.problem = problem


class Elsewhere(Struct, frozen=True, kw_only=True):
    """The pointer in `<home>/postgres/elsewhere.json`. A folder counts only while its marker holds the same cluster id."""

    folder: Path
    cluster: str


class Place(Struct, frozen=True, kw_only=True):
    folder: Path
    """Belongs to the account that Postgres runs as; everything of the cluster lies in it."""
    cluster: str | None
    """The id that the marker must hold; None where the folder lies in the home and any marker will do."""
    account: Account | None
    programs: Programs

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def marker(self) -> Path:
        """Written last, after everything of the cluster is on disk."""
        return self.folder / "initialised"

    @property
    def config(self) -> Path:
        return self.folder / "postgresql.conf"


def settle(layout: Layout, programs: Programs) -> Place:
    """Decides on the place and makes its folder; a cluster that exists is never left for an empty one.

    Raises `PostgresUnusable`.
    """
    layout.postgres.mkdir(exist_ok=True, mode=0o700)
    kept = read_record(_pointer(layout), Elsewhere)
    account = choose_account(kept.folder if kept is not None and kept.folder.exists() else layout.postgres)
    if account is None:
        return Place(folder=layout.postgres, cluster=None, account=None, programs=programs)
    programs = programs if can_run(programs.postgres, account) else copy_programs(programs, account)
    in_home = Place(folder=layout.postgres, cluster=None, account=account, programs=programs)
    if kept is None and can_pass(layout.home, account):
        hand_over(layout.postgres, account)
        return in_home
    if in_home.marker.exists():
        raise PostgresUnusable(
            f"account {account.name} cannot enter {layout.home} any more, and the database lies there; "
            "open the folders above it again (chmod o+x)"
        )
    elsewhere = kept or _choose_elsewhere(layout, account)
    if not elsewhere.folder.exists():
        elsewhere.folder.mkdir(mode=0o700)
        hand_over(elsewhere.folder, account)
    return msgspec.structs.replace(in_home, folder=elsewhere.folder, cluster=elsewhere.cluster)


def choose_account(folder: Path) -> Account | None:
    """None for an ordinary user. For root: whoever owns `folder` already, else the first unprivileged account there is."""
    if os.geteuid() != 0:
        return None
    owner = folder.stat().st_uid
    if owner != 0:
        try:
            known = pwd.getpwuid(owner)
            return Account(name=known.pw_name, uid=owner, gid=known.pw_gid)
        except KeyError:
            return Account(name=str(owner), uid=owner, gid=folder.stat().st_gid)
    for name in ACCOUNTS:
        try:
            known = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=known.pw_uid, gid=known.pw_gid)
    raise PostgresUnusable(
        f"it does not run as root, and there is no account {' or '.join(ACCOUNTS)}; run as another user"
    )


def can_pass(folder: Path, account: Account) -> bool:
    """True when the account may enter `folder` and all above it."""
    folder = folder.resolve()
    return all(_allows(step.stat(), account, 0o1) for step in (folder, *folder.parents))


def can_run(program: Path, account: Account) -> bool:
    program = program.resolve()
    return can_pass(program.parent, account) and _allows(program.stat(), account, 0o5)


def copy_programs(programs: Programs, account: Account) -> Programs:
    """A copy of the binaries (hard links where the disk allows) that the account can run; made once for each installation."""
    root = programs.bin.parent
    stamp = f"{root} {programs.version} {programs.postgres.stat().st_mtime_ns}"
    target = _room(account) / f"programs-{hashlib.sha256(stamp.encode()).hexdigest()[:16]}"
    copied = target / root.parent.name / root.name
    if not target.exists():
        draft = Path(tempfile.mkdtemp(dir=target.parent, prefix=".programs-"))
        _copy(root, draft / root.parent.name / root.name)
        # The wheel keeps the shared libraries beside the package, and the binaries look for them there.
        libraries = root.parent.with_name(f"{root.parent.name}.libs")
        if libraries.is_dir():
            _copy(libraries, draft / libraries.name)
        draft.chmod(0o755)
        try:
            draft.rename(target)
        except OSError:  # another start was faster
            shutil.rmtree(draft)
    moved = msgspec.structs.replace(programs, bin=copied / "bin")
    if not can_run(moved.postgres, account):
        raise PostgresUnusable(f"account {account.name} may run neither {programs.bin} nor a copy in {target}")
    return moved


def hand_over(folder: Path, account: Account) -> None:
    os.chown(folder, account.uid, account.gid, follow_symlinks=False)


def abandon_place(layout: Layout) -> None:
    """Deletes what lies outside the home. The database must be down."""
    pointer = _pointer(layout)
    if (elsewhere := read_record(pointer, Elsewhere)) is not None:
        shutil.rmtree(elsewhere.folder, ignore_errors=True)
        _note(elsewhere.folder).unlink(missing_ok=True)
        pointer.unlink()


def sweep(rooms: Sequence[Path] = ROOMS) -> None:
    """Deletes clusters whose home was a temporary folder that is gone."""
    temporary = Path(tempfile.gettempdir()).resolve()
    for note in (note for room in rooms if _is_ours(room) for note in room.glob("*.home")):
        home = Path(note.read_text())
        if temporary in home.parents and not home.exists():
            shutil.rmtree(note.with_suffix(""), ignore_errors=True)
            note.unlink(missing_ok=True)


def _choose_elsewhere(layout: Layout, account: Account) -> Elsewhere:
    sweep()
    room = _room(account)
    cluster = secrets.token_hex(8)
    folder = room / f"{hashlib.sha256(str(layout.home).encode()).hexdigest()[:12]}-{cluster}"
    _note(folder).write_text(str(layout.home))
    elsewhere = Elsewhere(folder=folder, cluster=cluster)
    write_private(_pointer(layout), encode_record(elsewhere))
    return elsewhere


def _note(folder: Path) -> Path:
    """Beside a cluster: whose it is."""
    return folder.with_name(f"{folder.name}.home")


def _pointer(layout: Layout) -> Path:
    return layout.postgres / "elsewhere.json"


def _room(account: Account) -> Path:
    for room in ROOMS:
        try:
            room.mkdir(parents=True, exist_ok=True, mode=0o755)
        except OSError:
            continue
        if _is_ours(room) and can_pass(room, account):
            return room
    raise PostgresUnusable(
        f"account {account.name} cannot reach the data folder, and none of {', '.join(map(str, ROOMS))} can hold it; "
        "choose a --home that other accounts can enter"
    )


def _is_ours(room: Path) -> bool:
    """Made by root and writable by nobody else: otherwise anyone could have put links there."""
    try:
        found = room.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == 0 and not found.st_mode & 0o022


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(
        source, target, copy_function=_link_or_copy, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a")
    )


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _allows(found: os.stat_result, account: Account, wanted: int) -> bool:
    """`wanted` in the lowest three mode bits, read for the class that the account falls into."""
    if found.st_uid == account.uid:
        shift = 6
    elif found.st_gid == account.gid:
        shift = 3
    else:
        shift = 0
    return (found.st_mode >> shift) & wanted == wanted
