"""A compiled suite as a file that ingest reads with its `practice` adapter, and the manifest that says what is in it."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from aml.contracts.benchmark import BundleCounts
from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.bundle_format import FORMAT, Header
from aml.toolkit.whole_file import whole_file

from .categories import Category
from .compilation import DEFAULT_SEED, Case, Pick, QuestionKey, compile_cases, pick_scenarios
from .errors import SuiteUnwritable
from .presets import Preset, PresetName

ADAPTER: Final = "practice"


class SuiteManifest(Struct, frozen=True, kw_only=True):
    suite: PresetName
    language: Language
    seed: int
    adapter: Literal["practice"] = ADAPTER
    sha256: str
    """Of the bundle's bytes; the platform addresses it by this."""
    size: int
    """Bytes."""
    counts: BundleCounts
    weights: Mapping[Category, int]
    """Hundredths of Overall, as the suite says, also of a category that a user's folder lacks."""
    depths: tuple[int, ...]
    pressure_tokens: int
    questions: tuple[QuestionKey, ...]
    """In the bundle's order."""


def write_suite(
    path: Path,
    preset: Preset,
    *,
    seed: int = DEFAULT_SEED,
    language: Language = "en",
    limit: int | None = None,
    folder: Path | None = None,
) -> SuiteManifest:
    """Writes the bundle, one sample in memory at a time; the file appears whole or not at all.

    Raises what `pick_scenarios` raises, and `SuiteUnwritable`.
    """
    picks = pick_scenarios(preset, seed=seed, language=language, limit=limit, folder=folder)
    digest = hashlib.sha256()
    size = 0
    tally = _Tally()
    try:
        with whole_file(path) as file:
            for line in _lines(picks, tally.counted(compile_cases(preset, picks, seed=seed, language=language))):
                file.write(line)
                digest.update(line)
                size += len(line)
    except OSError as error:
        raise SuiteUnwritable(path, error.strerror or str(error)) from None
    return SuiteManifest(
        suite=preset.name,
        language=language,
        seed=seed,
        sha256=digest.hexdigest(),
        size=size,
        counts=tally.counts(),
        weights=dict(preset.weights),
        depths=preset.depths,
        pressure_tokens=preset.pressure_tokens,
        questions=tuple(tally.keys),
    )


def _lines(picks: Sequence[Pick], cases: Iterator[Case]) -> Iterator[bytes]:
    yield msgspec.json.encode(Header(format=FORMAT, samples=len(picks))) + b"\n"
    for case in cases:
        yield msgspec.json.encode(case.sample) + b"\n"


class _Tally:
    """Counts what passes."""

    def __init__(self) -> None:
        self.keys: list[QuestionKey] = []
        self._samples = 0
        self._sessions = 0
        self._turns = 0

    def counted(self, cases: Iterator[Case]) -> Iterator[Case]:
        for case in cases:
            self._samples += 1
            self._sessions += len(case.sample.sessions)
            self._turns += sum(len(session.turns) for session in case.sample.sessions)
            self.keys += case.keys
            yield case

    def counts(self) -> BundleCounts:
        categories: dict[str, int] = {}
        for key in self.keys:
            categories[key.category] = categories.get(key.category, 0) + 1
        return BundleCounts(
            samples=self._samples,
            sessions=self._sessions,
            turns=self._turns,
            questions=len(self.keys),
            categories=categories,
        )
