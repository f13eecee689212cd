"""A release's folder: found by its id, hashed as a whole, read strictly.

ReleaseError(folder, file, problem)
└── UnknownRelease(release_id, known)
"""

import hashlib
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

from aml.contracts.release import Release
from aml.rules.release_digest import MANIFEST, ManifestInvalid, folder_digest, read_manifest

__all__ = [
    "MANIFEST",
    "PROMPTS",
    "LoadedRelease",
    "ReleaseError",
    "UnknownRelease",
    "bundled_releases",
    "find_release",
    "folder_digest",
    "inconsistencies",
    "load_release",
    "prompt_fingerprint",
    "release_files",
]

PROMPTS = "prompts"


class ReleaseError(Exception):
    """A folder that cannot be evaluated under. `file` is relative to `folder`; `problem` says what to change."""

    def __init__(self, folder: Path, file: str, problem: str) -> None:
        super().__init__(f"{folder / file}: {problem}")
        self.folder = folder
        self.file = file
        self.problem = problem


class UnknownRelease(ReleaseError):
    def __init__(self, release_id: str, known: tuple[str, ...], folder: Path) -> None:
        super().__init__(folder, "", f"there is no release {release_id!r}; known are {', '.join(known)}")
        self.release_id = release_id
        self.known = known


class LoadedRelease(Struct, frozen=True, kw_only=True):
    release: Release
    digest: str
    prompts: dict[str, str]
    """File name in `prompts/` to template."""
    fingerprints: dict[str, str]
    """File name in `prompts/` to the template's SHA-256."""


def load_release(folder: Path) -> LoadedRelease:
    """Raises `ReleaseError` naming the file and, for a field, its path in the manifest."""
    contents = release_files(folder)
    if MANIFEST not in contents:
        raise ReleaseError(folder, MANIFEST, "is missing; a release is a folder with this file")
    release = _read_manifest(folder, contents[MANIFEST])
    prompts = {
        path.removeprefix(f"{PROMPTS}/"): _text(folder, path, data)
        for path, data in contents.items()
        if path.startswith(f"{PROMPTS}/")
    }
    if release.release_id != folder.resolve().name:
        raise ReleaseError(folder, MANIFEST, f"release_id is {release.release_id!r}; it must be the folder's name")
    for problem in inconsistencies(release, frozenset(prompts)):
        raise ReleaseError(folder, MANIFEST, problem)
    return LoadedRelease(
        release=release,
        digest=folder_digest(contents),
        prompts=prompts,
        fingerprints={name: prompt_fingerprint(template) for name, template in prompts.items()},
    )


def bundled_releases() -> dict[str, Path]:
    """Release id to folder, for the releases that come with the package."""
    return _releases_in(Path(str(files("aml.contracts.releases"))))


def find_release(release_id: str, extra_folder: Path | None = None) -> Path:
    """The folder of a release, among the bundled ones and those in `extra_folder`.

    An id in both places is an error: which one was meant would otherwise depend on where one looks first.
    """
    bundled = bundled_releases()
    extra = _releases_in(extra_folder) if extra_folder is not None else {}
    if release_id in bundled and release_id in extra:
        raise ReleaseError(
            extra[release_id], "", f"has the name of the bundled release {release_id!r}; rename the folder"
        )
    folder = (bundled | extra).get(release_id)
    if folder is None:
        raise UnknownRelease(release_id, tuple(sorted(bundled | extra)), extra_folder or Path("releases"))
    return folder


def prompt_fingerprint(template: str) -> str:
    return hashlib.sha256(template.encode()).hexdigest()


def inconsistencies(release: Release, prompts: frozenset[str]) -> list[str]:
    """What the manifest asks for and the release does not have. Empty for a usable one."""
    problems = []
    for kind, settings, allowed in (
        ("answer", release.answer, ("extractive", "openai", "agent")),
        ("judge", release.judge, ("rules", "openai")),
    ):
        if settings.kind not in allowed:
            problems.append(f"{kind}.kind is {settings.kind!r}; it must be {' or '.join(allowed)}")
        if settings.kind == "openai" and not settings.model:
            problems.append(f"{kind}.model is missing; kind 'openai' needs one")
    for question_type, rule in release.scoring.items():
        at = f"scoring.{question_type}"
        if release.answer.kind == "openai" and rule.answer_prompt is None:
            problems.append(f"{at}.answer_prompt is missing; a model answers under this release")
        if rule.rule == "llm_judge" and rule.judge_prompt is None:
            problems.append(f"{at}.judge_prompt is missing; rule 'llm_judge' needs one")
        if rule.rule == "llm_judge" and release.judge.kind != "openai":
            problems.append(f"{at}.rule is 'llm_judge', but judge.kind is {release.judge.kind!r}")
        if rule.decompose is not None and rule.rule != "llm_judge":
            problems.append(f"{at}.decompose goes with the rule 'llm_judge' alone")
        problems += [
            f"{at} names the prompt {name!r}, which is not in {PROMPTS}/"
            for name in (rule.answer_prompt, rule.judge_prompt)
            if name is not None and name not in prompts
        ]
    return problems


def _releases_in(folder: Path) -> dict[str, Path]:
    return {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{MANIFEST}"))}


def release_files(folder: Path) -> dict[str, bytes]:
    """Every file by its POSIX path. Links are refused: what they point at can change under the digest."""
    contents = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise ReleaseError(folder, name, "is a symbolic link; a release holds plain files")
        if path.is_file():
            contents[name] = path.read_bytes()
    return contents


def _read_manifest(folder: Path, data: bytes) -> Release:
    try:
        return read_manifest(data)
    except ManifestInvalid as error:
        raise ReleaseError(folder, MANIFEST, error.problem) from None


def _text(folder: Path, name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReleaseError(folder, name, f"is not UTF-8: {error.reason} at byte {error.start}") from None
