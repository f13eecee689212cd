"""A commitment binds to its payload and hides it."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.commitment import NONCE_BYTES, TAG, commit, nonce_for

KEY = bytes(range(32))
parts = st.tuples(st.binary(max_size=64), st.binary(max_size=64))


def test_the_digest_is_sha256_over_tag_nonce_and_payload() -> None:
    nonce = b"\x01" * NONCE_BYTES
    assert commit(nonce, b"Lisbon") == hashlib.sha256(TAG + nonce + b"Lisbon").hexdigest()


@given(parts)
def test_working_on_a_unit_twice_commits_in_the_same_way(part: tuple[bytes, bytes]) -> None:
    context, payload = part
    assert nonce_for(KEY, context, payload) == nonce_for(KEY, context, payload)
    assert len(nonce_for(KEY, context, payload)) == NONCE_BYTES


@given(parts, parts)
def test_another_event_or_payload_has_another_nonce(one: tuple[bytes, bytes], other: tuple[bytes, bytes]) -> None:
    assert (nonce_for(KEY, *one) == nonce_for(KEY, *other)) is (one == other)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_without_the_key_a_guessed_answer_cannot_be_checked(one: bytes, other: bytes) -> None:
    digests = [commit(nonce_for(key, b"event", b"yes"), b"yes") for key in (one, other)]
    assert (digests[0] == digests[1]) is (one == other)


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_a_digest_binds_to_its_payload(one: bytes, other: bytes) -> None:
    nonce = b"\x02" * NONCE_BYTES
    assert (commit(nonce, one) == commit(nonce, other)) is (one == other)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_nonce_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        commit(b"\x00" * length, b"")
