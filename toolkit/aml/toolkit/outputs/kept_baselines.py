"""`--baseline FILE|DIR`: which kept baselines a result is held against, and where a new one goes.

A file is one configuration, whatever its label. In a folder each configuration has its own file; the one of the same label is
held against the result, and all of the same suite stand beside it in the report.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from aml.toolkit.baselines import Baseline, BaselineBroken, BaselineStore, Comparison, Incomparable, compare
from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.baselines.store import read_baseline, write_baseline
from aml.toolkit.results import SuiteResult


class Held(Struct, frozen=True, kw_only=True):
    """A result with what became of holding it against its baseline."""

    result: SuiteResult
    wanted: bool = False
    """A baseline was asked for."""
    comparison: Comparison | Incomparable | None = None
    """None where none was asked for, and where there is none yet."""


class KeptBaselines(Struct, frozen=True, kw_only=True):
    place: Path | None
    """None where none was asked for."""
    baselines: tuple[Baseline, ...] = ()

    @classmethod
    def read(cls, place: Path | None) -> "KeptBaselines":
        """A result that was saved with `--json` is as good as a baseline. A place that is not there yet holds none.

        Raises `BaselineBroken`.
        """
        if place is None or not place.exists():
            return cls(place=place)
        if place.is_dir():
            return cls(place=place, baselines=BaselineStore(place).load_all())
        return cls(place=place, baselines=(_baseline_or_result(place),))

    @property
    def is_folder(self) -> bool:
        """What is not there yet is a file where its name says so."""
        return self.place is not None and (
            self.place.is_dir() or (not self.place.exists() and self.place.suffix != ".json")
        )

    def hold(self, result: SuiteResult) -> Held:
        own = self._own(result)
        return Held(
            result=result,
            wanted=self.place is not None,
            comparison=None if own is None else compare(result, own),
        )

    def beside(self, results: Sequence[SuiteResult]) -> tuple[Baseline, ...]:
        """Those that a report of these results shows."""
        suites = {(each.provenance.suite, each.provenance.language) for each in results}
        return tuple(each for each in self.baselines if (each.provenance.suite, each.provenance.language) in suites)

    def save(self, result: SuiteResult) -> Path:
        """Raises `OSError`, and in a folder `LabelUnusable`."""
        assert self.place is not None
        if self.is_folder:
            return BaselineStore(self.place).save(result, label_of(result))
        self.place.parent.mkdir(parents=True, exist_ok=True)
        write_baseline(self.place, baseline_of(result, self.place.stem))
        return self.place

    def _own(self, result: SuiteResult) -> Baseline | None:
        if not self.is_folder:
            return self.baselines[0] if self.baselines else None
        label = label_of(result)
        return next((each for each in self.baselines if each.label == label), None)


def label_of(result: SuiteResult) -> str:
    """A configuration: who was asked, and what."""
    return f"{result.agent} {result.suite} {result.provenance.language}"


def _baseline_or_result(path: Path) -> Baseline:
    try:
        return read_baseline(path)
    except BaselineBroken as broken:
        try:
            return baseline_of(SuiteResult.read(path), path.stem)
        except (OSError, msgspec.DecodeError):
            raise broken from None
