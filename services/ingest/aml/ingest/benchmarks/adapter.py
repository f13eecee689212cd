"""The dataset adapters by name. An adapter turns a source's file into samples, one in memory at a time."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from aml.contracts.benchmark import Sample

from .errors import UnknownAdapter
from .locomo import read_locomo
from .longmemeval import read_longmemeval
from .practice.bundle_format import read_practice


class Adapter(Protocol):
    def __call__(self, path: Path, /) -> Iterator[Sample]:
        """Raises `BundleError` at the first record that is not as the source promises."""
        ...


ADAPTERS: Final[Mapping[str, Adapter]] = MappingProxyType(
    {"locomo": read_locomo, "longmemeval": read_longmemeval, "practice": read_practice}
)


def read_samples(adapter: str, path: Path) -> Iterator[Sample]:
    """Samples in the file's order. Raises `UnknownAdapter` at once, `BundleError` while reading."""
    if adapter not in ADAPTERS:
        raise UnknownAdapter(adapter, ADAPTERS)
    return ADAPTERS[adapter](path)
