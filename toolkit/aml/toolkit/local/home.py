"""The layout of one stack's data folder, its secrets, and the lock that keeps two supervisors apart."""

import fcntl
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec
from msgspec import Struct

from .errors import LocalStackError

S = TypeVar("S", bound=Struct)

OPERATOR_KEY_PREFIX = "aml_op_"


class HomeUnusable(LocalStackError):
    def __init__(self, home: Path, problem: str) -> None:
        super().__init__(f"the data folder {home} cannot be used: {problem}; choose another with --home or AML_HOME")
        self.home = home
        self.problem = problem


class HomeBusy(LocalStackError):
    def __init__(self, home: Path, holder: str) -> None:
        super().__init__(f"{home} is in use by process {holder or 'unknown'}; stop it, or choose another --home")
        self.home = home
        self.holder = holder


class Layout(Struct, frozen=True):
    """Pure names; `make_home` creates what they name."""

    home: Path

    @property
    def secrets(self) -> Path:
        return self.home / "secrets"

    @property
    def kek_file(self) -> Path:
        """32 random bytes in hex: wraps the per-job data keys of the evidence store."""
        return self.secrets / "evidence.kek"

    @property
    def signer_key_file(self) -> Path:
        """Made by the ledger at its first start, with the verifier key beside it."""
        return self.secrets / "ledger.key"

    @property
    def verifier_file(self) -> Path:
        """The current verifier key."""
        return self.secrets / "ledger.key.pub"

    @property
    def verifiers_file(self) -> Path:
        """Every verifier key that the log ever had, the newest first: after a rotation older boards need the older ones."""
        return self.secrets / "ledger.key.keys"

    @property
    def operator_key_file(self) -> Path:
        return self.secrets / "operator.key"

    @property
    def nats_token_file(self) -> Path:
        return self.secrets / "nats.token"

    @property
    def database_password_file(self) -> Path:
        return self.secrets / "postgres.password"

    @property
    def nats(self) -> Path:
        return self.home / "nats"

    @property
    def postgres(self) -> Path:
        """The cluster, or where it lies when its account cannot come here (postgres_place.py)."""
        return self.home / "postgres"

    @property
    def evidence(self) -> Path:
        return self.home / "evidence"

    @property
    def public_log(self) -> Path:
        """The ledger's tiles and checkpoint, as any web server may serve them. The evidence beside it is encrypted."""
        return self.evidence / "public" / "log"

    @property
    def datasets(self) -> Path:
        return self.home / "datasets"

    @property
    def board(self) -> Path:
        return self.home / "board"

    @property
    def donations(self) -> Path:
        return self.home / "donations"

    @property
    def releases(self) -> Path:
        """Release folders beside the bundled ones; need not be there."""
        return self.home / "releases"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    def log_file(self, process: str) -> Path:
        return self.logs / f"{process}.log"

    @property
    def state_file(self) -> Path:
        return self.home / "run" / "state.json"

    @property
    def ports_file(self) -> Path:
        return self.home / "run" / "ports.json"

    @property
    def lock_file(self) -> Path:
        return self.home / "run" / "lock"


def make_home(home: Path) -> Layout:
    """Creates what is missing and changes nothing that is there. Raises `HomeUnusable`.

    Everything with content is readable by its owner alone; `home` itself stays passable, because Postgres,
    which refuses to run as root, has to reach its own folder below it.
    """
    layout = Layout(home.absolute())
    private = (layout.secrets, layout.nats, layout.evidence, layout.datasets, layout.logs, layout.state_file.parent)
    try:
        layout.home.mkdir(parents=True, exist_ok=True, mode=0o755)
        layout.board.mkdir(exist_ok=True, mode=0o755)
        for folder in private:
            folder.mkdir(exist_ok=True, mode=0o700)
        keep_secret(layout.kek_file, secrets.token_hex(32))
        keep_secret(layout.operator_key_file, OPERATOR_KEY_PREFIX + secrets.token_urlsafe(32))
        keep_secret(layout.nats_token_file, secrets.token_urlsafe(32))
    except OSError as error:
        raise HomeUnusable(layout.home, error.strerror or str(error)) from error
    return layout


def keep_secret(path: Path, fresh: str) -> str:
    """The secret at `path`. Where there is none, or an empty file, `fresh` becomes it, whole and 0600.

    Of several that start at once the first one's secret stays, and all return that one.
    """
    if path.exists() and (kept := path.read_text().strip()):
        return kept
    draft = _draft(path, fresh, durable=True)
    try:
        os.link(draft, path)
    except FileExistsError:
        if kept := path.read_text().strip():
            draft.unlink()
            return kept
        draft.replace(path)
    else:
        draft.unlink()
    return fresh


def write_private(path: Path, text: str, *, durable: bool = True) -> None:
    """Replaces `path` in one step, so that a reader and a crash see either the old text or the new one.

    `durable=False` spares the disk where losing the text to a power cut does no harm.
    """
    _draft(path, text, durable=durable).replace(path)


def _draft(path: Path, text: str, *, durable: bool) -> Path:
    # mkstemp opens with O_EXCL: root also writes into Postgres' folder, where the account it drops to could leave a link.
    opened, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(opened, "w") as file:
        file.write(text)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    return Path(name)


def encode_record(record: Struct) -> str:
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


def read_record(path: Path, shape: type[S]) -> S | None:
    """None when nothing readable is there, as after a crash on a full disk."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=shape, dec_hook=_to_path)
    except (FileNotFoundError, NotADirectoryError, msgspec.DecodeError):
        return None


@contextmanager
def hold_home(layout: Layout) -> Iterator[IO[str]]:
    """Holds the folder until the block ends or this process dies, however it dies. Raises `HomeBusy`."""
    with layout.lock_file.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise HomeBusy(layout.home, lock.read().strip()) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield lock


def _to_path(kind: type[Any], value: Any) -> Any:
    return kind(value)
