from pathlib import Path

import pytest

from aml.ingest.benchmarks import BundleError, survey
from aml.ingest.benchmarks.practice.bundle_format import encode_practice, read_practice
from aml.ingest.benchmarks.practice.generate import generate_practice

SAMPLES = generate_practice(smoke=True)
DATA = encode_practice(SAMPLES)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "practice.v1"
    path.write_bytes(data)
    return path


def test_samples_come_back_as_they_were(tmp_path: Path) -> None:
    assert list(read_practice(written(tmp_path, DATA))) == SAMPLES


def test_the_bytes_are_canonical(tmp_path: Path) -> None:
    assert encode_practice(list(read_practice(written(tmp_path, DATA)))) == DATA


LINES = DATA.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("data", "record", "field"),
    [
        (b"", "header", None),
        (b"[]\n", "header", None),
        (b'{"format":"practice.v2","samples":2}\n', "header", "format"),
        (b'{"format":"practice.v1"}\n', "header", "samples"),
        (LINES[0] + LINES[1], None, "samples"),
        (DATA + LINES[1], "record 3", None),
        (DATA[:-1], "record 2", None),
        (DATA[:-200] + b"\n", "record 2", None),
        (DATA.replace(b'"role":"user",', b"", 1), "record 1", "sessions[0].turns[0].role"),
        (DATA.replace(b'"role":"user"', b'"role":7', 1), "record 1", "sessions[0].turns[0].role"),
        (DATA.replace(b'"capability":"fact_recall"', b'"capability":"luck"', 1), "record 1", "questions[0].capability"),
        (DATA.replace(b'"sample_id"', b'"sample"', 1), "record 1", None),
    ],
)
def test_a_mutated_file_is_named_with_record_and_field(
    tmp_path: Path, data: bytes, record: str | None, field: str | None
) -> None:
    path = written(tmp_path, data)
    with pytest.raises(BundleError) as caught:
        survey("practice", path)
    assert (caught.value.file, caught.value.record, caught.value.field) == (path, record, field)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="record 1"):
        survey("practice", written(tmp_path, DATA.replace(b"user", b"us\xff\xfe", 1)))
