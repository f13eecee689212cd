from pathlib import Path

import pytest

from aml.ingest.benchmarks import ADAPTERS, UnknownAdapter, read_samples, write_practice_bundle


def test_an_unknown_adapter_is_refused_at_once_with_the_known_ones() -> None:
    with pytest.raises(UnknownAdapter, match="no dataset adapter 'locomoco'; known: locomo, longmemeval, practice"):
        read_samples("locomoco", Path("nowhere"))


def test_the_registry_reads_by_name(tmp_path: Path) -> None:
    path = tmp_path / "practice"
    write_practice_bundle(path, smoke=True)
    assert [sample.sample_id for sample in read_samples("practice", path)] == ["practice-01", "practice-02"]
    assert set(ADAPTERS) == {"locomo", "longmemeval", "practice"}
