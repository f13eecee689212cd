"""A user's dataset file, checked in full and put where the platform looks for it: under its own hash."""

import secrets
import shutil
from pathlib import Path

from msgspec import Struct

from aml.ingest.benchmarks import sha256_of, survey

from .dataset_choice import OWN_BUNDLES, DatasetChoice


class PlacedBundle(Struct, frozen=True, kw_only=True):
    name: str
    adapter: str
    sha256: str
    samples: int | None = None
    """None for the project's own bundles, which the platform writes when it starts."""
    questions: int | None = None


def place_bundle(choice: DatasetChoice, datasets: Path) -> PlacedBundle:
    """Raises `BundleError` naming file, record and field. Reads the whole file twice: hash and contents."""
    if choice.path is None:
        return PlacedBundle(name=choice.name, adapter=choice.adapter, sha256=OWN_BUNDLES[choice.name])
    digest = sha256_of(choice.path)
    counts = survey(choice.adapter, choice.path)
    link_bundle(choice.path, datasets / digest)
    return PlacedBundle(
        name=choice.name,
        adapter=choice.adapter,
        sha256=digest,
        samples=counts.samples,
        questions=counts.questions,
    )


def link_bundle(source: Path, place: Path) -> None:
    """A symbolic link, since such files are large; a copy where the file system has none.

    Replaces an older link: its file may have moved or changed since.
    """
    if place.is_file() and not place.is_symlink():
        return
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        draft.symlink_to(source.resolve())
    except OSError:
        shutil.copyfile(source, draft)
    draft.replace(place)
