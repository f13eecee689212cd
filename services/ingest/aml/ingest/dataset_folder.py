"""Where the bundles lie: each under its own hash, so that a job names bytes and never a path."""

from pathlib import Path

from aml.contracts.jobs import DatasetPin

from .benchmarks.errors import BundleError


def bundle_path(folder: Path, pin: DatasetPin) -> Path:
    """Raises `BundleError` when the bundle is not there."""
    path = folder / pin.sha256
    if not path.is_file():
        raise BundleError(path, None, None, f"the bundle of dataset {pin.name} is not in the datasets folder")
    return path
