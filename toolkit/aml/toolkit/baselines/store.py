"""Baselines as JSON files, one a configuration: made to be committed beside the tests that use them."""

import hashlib
import re
from pathlib import Path

import msgspec

from aml.toolkit.results.suite_result import SuiteResult
from aml.toolkit.whole_file import whole_file

from .baseline import Baseline, baseline_of
from .comparison import Comparison, Incomparable, compare

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80
_DIGEST = 8


class BaselineError(Exception):
    """Root.

    BaselineError
    ├── BaselineMissing   there is no baseline of that label
    ├── LabelUnusable     a label cannot be a file's name, or its file is another label's; a `ValueError` too
    └── BaselineBroken    its file cannot be read
    """


class BaselineMissing(BaselineError):
    def __init__(self, label: str, known: tuple[str, ...]) -> None:
        shown = ", ".join(known) or "none"
        super().__init__(f"there is no baseline {label!r}; there are: {shown}. Save one with BaselineStore.save")
        self.label = label


class LabelUnusable(BaselineError, ValueError):
    def __init__(self, label: str, problem: str) -> None:
        super().__init__(f"the label {label!r} {problem}; choose another")
        self.label = label
        self.problem = problem


class BaselineBroken(BaselineError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"the baseline {path} cannot be read: {problem}; restore it or save it again")
        self.path = path


class BaselineStore:
    """A folder of baselines. `label` names a configuration, e.g. `gpt-4o-mini window 20`; a later save replaces it."""

    def __init__(self, folder: str | Path = "aml-baselines") -> None:
        self.folder = Path(folder)

    def save(self, result: SuiteResult, label: str) -> Path:
        """Written whole or not at all.

        Raises `LabelUnusable` for a label without a letter or digit, and for one whose file holds another label's baseline.
        """
        path = self.path_of(label)
        self._require_own(path, label)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_baseline(path, baseline_of(result, label))
        return path

    def load(self, label: str) -> Baseline:
        """Raises `BaselineMissing`, `BaselineBroken`."""
        path = self.path_of(label)
        if not path.is_file() or (found := read_baseline(path)).label != label:
            raise BaselineMissing(label, tuple(each.label for each in self.load_all()))
        return found

    def load_all(self) -> tuple[Baseline, ...]:
        """By file name. Raises `BaselineBroken`."""
        if not self.folder.is_dir():
            return ()
        return tuple(read_baseline(path) for path in sorted(self.folder.glob("*.json")) if path.name[0] != ".")

    def compare(self, result: SuiteResult, label: str) -> Comparison | Incomparable:
        """Raises as `load` does."""
        return compare(result, self.load(label))

    def _require_own(self, path: Path, label: str) -> None:
        try:
            other = read_baseline(path).label
        except BaselineBroken:  # there is none, or nothing that a save could spoil
            return
        if other != label:
            raise LabelUnusable(label, f"has the file {path.name} of the baseline {other!r}")

    def path_of(self, label: str) -> Path:
        """What a file's name cannot say of a label, a digest of the label does. Raises `LabelUnusable`."""
        name = _UNSAFE.sub("-", label).strip("-.")
        if not any(each.isalnum() for each in label):
            raise LabelUnusable(label, "has no letter or digit")
        if not label.isascii() or len(name) > _LONGEST:
            digest = hashlib.sha256(label.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
            name = f"{name[: _LONGEST - _DIGEST - 1]}-{digest}".lstrip("-.")
        return self.folder / f"{name}.json"


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Whole or not at all. Raises `OSError`."""
    content = msgspec.json.format(msgspec.json.encode(baseline, order="sorted"), indent=1)
    with whole_file(path) as file:
        file.write(content + b"\n")


def read_baseline(path: Path) -> Baseline:
    """Raises `BaselineBroken`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Baseline)
    except (OSError, msgspec.DecodeError) as error:
        raise BaselineBroken(path, str(error)) from None
