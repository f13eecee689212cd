"""Datasets: adapters, and what is checked of a bundle before a job starts."""

from .adapter import ADAPTERS, Adapter, read_samples
from .bundle import sha256_of, survey, verify_bundle
from .errors import BenchmarkError, BundleDigestMismatch, BundleError, UnknownAdapter
from .practice.write_bundle import write_practice_bundle

__all__ = [
    "ADAPTERS",
    "Adapter",
    "BenchmarkError",
    "BundleDigestMismatch",
    "BundleError",
    "UnknownAdapter",
    "read_samples",
    "sha256_of",
    "survey",
    "verify_bundle",
    "write_practice_bundle",
]
