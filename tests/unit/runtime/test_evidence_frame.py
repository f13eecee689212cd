"""Compression shows in the object's size and nowhere else."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.commitment import NONCE_BYTES
from aml.runtime.evidence_frame import COMPRESSED_FROM, FrameInvalid, frame, is_compressed, unframe

NONCE = bytes(range(NONCE_BYTES))
TEXT = b"She moved to Lisbon in May, and he stayed in Porto. " * (COMPRESSED_FROM // 50 + 1)


@given(st.binary(max_size=200))
def test_a_frame_gives_back_what_it_holds(payload: bytes) -> None:
    assert unframe(frame(NONCE, payload)) == (NONCE, payload)


def test_long_text_is_compressed_and_short_text_is_not() -> None:
    assert is_compressed(framed := frame(NONCE, TEXT))
    assert len(framed) < len(TEXT) // 10
    assert unframe(framed) == (NONCE, TEXT)
    assert not is_compressed(frame(NONCE, TEXT[: COMPRESSED_FROM - 1]))


def test_what_does_not_shrink_stays_as_it_is() -> None:
    noise = os.urandom(COMPRESSED_FROM)
    assert frame(NONCE, noise) == b"\x00" + NONCE + noise


@pytest.mark.parametrize(
    "damaged", [b"", b"\x00" + NONCE[:-1], b"\x02" + NONCE + b"x", frame(NONCE, TEXT)[:-9], b"\x01" + NONCE + b"x"]
)
def test_what_is_no_frame_is_refused(damaged: bytes) -> None:
    with pytest.raises(FrameInvalid):
        unframe(damaged)
