import pytest

from aml.rules.release_digest import ManifestInvalid, folder_digest, read_manifest


def test_where_a_file_ends_and_the_next_begins_counts() -> None:
    assert folder_digest({"a": b"bc"}) != folder_digest({"ab": b"c"})
    assert folder_digest({"a": b"b", "c": b"d"}) == folder_digest({"c": b"d", "a": b"b"})


@pytest.mark.parametrize(
    ("data", "said"), [(b"\xff", "UTF-8"), (b"release_id = ", "TOML"), (b'release_id = "x"', "missing required field")]
)
def test_a_manifest_that_is_none_says_why(data: bytes, said: str) -> None:
    with pytest.raises(ManifestInvalid, match=said):
        read_manifest(data)
