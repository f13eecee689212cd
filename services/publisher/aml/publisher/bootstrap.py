"""Wires the publisher: everything that it is made of is built here and nowhere else."""

import contextlib
from collections.abc import AsyncIterator, Iterable

from aml.contracts.boards import BoardPublished
from aml.contracts.cycle import Cycle
from aml.contracts.release import Release
from aml.rules.checkpoint import NoteInvalid, VerifierKey, parse_verifier_key
from aml.rules.identity import subject_of
from aml.rules.witness_policy import PolicyInvalid, WitnessPolicy, parse_policy
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.cycle_folder import load_cycles
from aml.runtime.publish_once import Published, publish_once
from aml.runtime.readiness import Check
from aml.runtime.release_folder import ReleaseError
from aml.runtime.releases import Releases

from .collect_board import Approvals
from .errors import CheckpointRejected, LedgerUnavailable
from .keep_current import KeepCurrent
from .ledger_log import LedgerLog
from .publish_board import BoardPublisher
from .release_facts import ReleaseFolders
from .settings import LedgerSettings, PublisherSettings
from .shown_board import Surroundings
from .swap_board import BoardFolder


class BusFacts:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def publish_once(self, event: BoardPublished) -> Published:
        return await publish_once(self._bus, event)

    async def standing(self, event: BoardPublished) -> BoardPublished | None:
        found = await self._bus.last_event(subject_of(event))
        return found if isinstance(found, BoardPublished) else None


def read_verifier_key(settings: LedgerSettings) -> VerifierKey:
    """Read at each use: on a first start the ledger writes the file a moment later.

    Raises `LedgerUnavailable` while there is no file, `CheckpointRejected` when it holds no usable key.
    """
    try:
        return parse_verifier_key(settings.verifier_file.read_text("utf-8"))
    except OSError as error:
        raise LedgerUnavailable(f"verifier file {settings.verifier_file}", type(error).__name__) from None
    except UnicodeDecodeError:
        raise CheckpointRejected("the verifier file is not UTF-8") from None
    except NoteInvalid as error:
        raise CheckpointRejected(f"the verifier file is unusable: {error.problem}") from None


def read_policy(settings: LedgerSettings) -> WitnessPolicy | None:
    """Read at each use, as the key is. Raises `CheckpointRejected` for a file that is missing or malformed."""
    if settings.policy_file is None:
        return None
    try:
        return parse_policy(settings.policy_file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CheckpointRejected(f"the policy of witnesses cannot be read: {type(error).__name__}") from None
    except PolicyInvalid as error:
        raise CheckpointRejected(f"the policy of witnesses is unusable: {error}") from None


def read_surroundings(settings: PublisherSettings) -> Surroundings:
    """Read once, at the start. Raises `CycleError`: a cycle's page with wrong dates is worse than no publisher."""
    cycles = load_cycles(settings.files.cycles)
    return Surroundings(
        cycles=cycles,
        releases=_releases_of(cycles, Releases(settings.files.releases)),
        url=settings.board.url.rstrip("/") if settings.board.url is not None else None,
    )


def _releases_of(cycles: Iterable[Cycle], releases: Releases) -> dict[str, Release]:
    found = {}
    for release_id in {track.release_id for cycle in cycles for track in cycle.tracks if track.release_id is not None}:
        with contextlib.suppress(ReleaseError):  # not installed here: the page then shows the quotas as announced
            found[release_id], _ = releases.of(release_id)
    return found


@contextlib.asynccontextmanager
async def publisher(settings: PublisherSettings, bus: Bus) -> AsyncIterator[tuple[KeepCurrent, dict[str, Check]]]:
    """The loop, not yet running, and the checks for readiness. `bus` is connected by the caller."""
    state = Approvals()
    async with LedgerLog(settings.ledger.url) as ledger:
        boards = BoardPublisher(
            state=state,
            facts=BusFacts(bus),
            ledger=ledger,
            folder=BoardFolder(settings.board.folder),
            releases=ReleaseFolders(settings.files.releases),
            read_key=lambda: read_verifier_key(settings.ledger),
            read_policy=lambda: read_policy(settings.ledger),
            clock=SystemClock(),
            around=read_surroundings(settings),
        )
        loop = KeepCurrent(bus=bus, state=state, publisher=boards)

        async def check_bus() -> str | None:
            return None if bus.connected else "not connected to the broker"

        async def check_ledger() -> str | None:
            try:
                await ledger.reach()
            except LedgerUnavailable as error:
                return str(error)
            return None

        yield (
            loop,
            {
                "bus": check_bus,
                "ledger": check_ledger,
                "history": loop.check_history,
                "board": loop.check_board,
                "rows": loop.check_rows,
            },
        )
