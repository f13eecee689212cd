"""What a run stands on before its first question: the folder for bundles, and the release of each arm as it is known here."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from aml.runtime.release_folder import LoadedRelease, ReleaseError, find_release, load_release
from aml.toolkit.agents.memory_system import MemorySystem
from aml.toolkit.local.home import Layout
from aml.toolkit.suite_run.platform_access import PlatformAccess, RemoteStack, Stack, datasets_folder
from aml.toolkit.suite_run.run_bundle import AGENT_RELEASE, MEMORY_RELEASE

from .errors import OptionInvalid, ReleaseNotOffered
from .judge_release import derive_release, write_release
from .options import LongMemEvalOptions
from .system_demands import System

MODEL_JUDGE_RELEASE = "toolkit-openai"
"""For agents, where an option changes the judge and no release was named."""


class Ground(Struct, frozen=True, kw_only=True):
    datasets: Path
    release_ids: tuple[str, ...]
    releases: dict[str, LoadedRelease]
    """None of a platform's own that are not bundled."""
    derived: dict[str, Path]
    """Releases that were written for this run, by id."""


def prepare(stack: Stack, systems: Sequence[System], options: LongMemEvalOptions, release: str | None) -> Ground:
    """Raises `OptionInvalid`, `LocalStackError`, `WrongUsage`, `OSError`."""
    datasets = datasets_folder(stack)
    own = None if isinstance(stack, RemoteStack) else Layout(datasets.parent).releases
    ids: list[str] = []
    releases: dict[str, LoadedRelease] = {}
    derived: dict[str, Path] = {}
    for system in systems:
        release_id = release or _usual_release(system, options)
        folder = _folder_of(release_id, own)
        if folder is not None and (changed := derive_release(folder, options)) is not None:
            if own is None:
                problem = (
                    f"makes the release {changed.release_id}, which a platform at an address takes from its operator;"
                )
                raise OptionInvalid(options.judge_is_set[0], f"{problem} leave it out, or run on a local stack")
            release_id, folder = changed.release_id, write_release(changed, own)
            derived[release_id] = folder
        elif folder is None and options.judge_is_set:
            raise OptionInvalid(
                options.judge_is_set[0], f"cannot change the release {release_id}, which is not known here"
            )
        ids.append(release_id)
        if folder is not None:
            releases[release_id] = load_release(folder)
    return Ground(datasets=datasets, release_ids=tuple(ids), releases=releases, derived=derived)


async def require_offered(release_id: str, access: PlatformAccess, ground: Ground) -> None:
    """Raises `ReleaseNotOffered`, `PlatformError`."""
    async with access.platform() as platform:
        offered = [each.release_id for each in (await platform.releases()).releases]
    if release_id in offered:
        return
    folder = ground.derived.get(release_id)
    if folder is None:
        raise ReleaseNotOffered(release_id, access.url, f"offered are {', '.join(offered)}")
    advice = f"it was written to {folder} for this run's judge options, and services read releases when they start:"
    raise ReleaseNotOffered(release_id, access.url, f"{advice} `aml down`, then run again")


def _usual_release(system: System, options: LongMemEvalOptions) -> str:
    if isinstance(system, MemorySystem):
        return MEMORY_RELEASE
    return MODEL_JUDGE_RELEASE if options.judge_is_set else AGENT_RELEASE


def _folder_of(release_id: str, own: Path | None) -> Path | None:
    """None for a release that only the platform knows."""
    try:
        return find_release(release_id, own)
    except ReleaseError:
        return None
