import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.tlog_proof import TlogProofInvalid, encode_tlog_proof, parse_tlog_proof

NOTE = "log.example.org/aml\n7\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u2014 log.example.org/aml AAAAAAA=\n"
HASH = base64.b64encode(bytes(32)).decode()


@given(st.integers(0, 2**60), st.lists(st.binary(min_size=32, max_size=32), max_size=63))
def test_a_proof_is_read_back(index: int, hashes: list[bytes]) -> None:
    found = parse_tlog_proof(encode_tlog_proof(index=index, proof=hashes, checkpoint=NOTE))

    assert (found.index, list(found.proof), found.checkpoint, found.extra) == (index, hashes, NOTE, None)


def test_extra_data_is_read() -> None:
    assert parse_tlog_proof(f"c2sp.org/tlog-proof@v1\nextra aGk=\nindex 0\n\n{NOTE}").extra == b"hi"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "does not begin"),
        (f"c2sp.org/tlog-proof@v2\nindex 0\n\n{NOTE}", "does not begin"),
        (f"c2sp.org/tlog-proof@v1\n\n{NOTE}", "no index"),
        (f"c2sp.org/tlog-proof@v1\nindex 01\n\n{NOTE}", "no index"),
        (f"c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\n{NOTE}", "32 bytes"),
        (f"c2sp.org/tlog-proof@v1\nindex 0\n?\n\n{NOTE}", "not base64"),
        (f"c2sp.org/tlog-proof@v1\nindex 0\n{HASH[:-2]}B=\n\n{NOTE}", "not canonical"),
        ("c2sp.org/tlog-proof@v1\nindex 0\n" + f"{HASH}\n" * 64 + f"\n{NOTE}", "more than 63"),
    ],
)
def test_what_is_no_proof_is_refused(text: str, problem: str) -> None:
    with pytest.raises(TlogProofInvalid, match=problem):
        parse_tlog_proof(text)
