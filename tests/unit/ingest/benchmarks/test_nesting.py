import pytest

from aml.ingest.benchmarks import BundleError, survey
from aml.ingest.benchmarks.nesting import MAX_DEPTH, require_shallow


def check(tmp_path, data):
    path = tmp_path / "bundle.json"
    path.write_bytes(data)
    with path.open("rb") as file:
        require_shallow(path, file)
        assert file.tell() == 0


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'[{"a":' * 50_000, b"[1," * 40_000], ids=["arrays", "objects", "lists"]
)
def test_deep_nesting_is_refused_before_it_is_parsed(tmp_path, data):
    with pytest.raises(BundleError, match=f"deeper than {MAX_DEPTH} levels"):
        check(tmp_path, data)


def test_brackets_in_text_are_no_nesting(tmp_path):
    check(tmp_path, b'["' + b"[{" * 50_000 + b'"]')


def test_a_long_flat_file_is_fine(tmp_path):
    check(tmp_path, b"[" + b",".join([b'{"a":[1,2]}'] * 100_000) + b"]")


def test_a_survey_refuses_it_in_flat_memory(tmp_path):
    path = tmp_path / "bundle.json"
    path.write_bytes(b"[" * 100_000)

    with pytest.raises(BundleError, match="nests deeper"):
        survey("longmemeval", path)
