import base64

import pytest

from aml.runtime.participant.errors import MediaRefused
from aml.runtime.participant.media_check import MAX_CALL_BYTES, MAX_IMAGE_BYTES, check_total, image_bytes


def _uri(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    ("kind", "data"),
    [("jpeg", b"\xff\xd8\xff\xe0rest"), ("png", b"\x89PNG\r\n\x1a\nrest"), ("webp", b"RIFF\x00\x00\x00\x00WEBPrest")],
)
def test_the_three_kinds_are_measured_decoded(kind: str, data: bytes) -> None:
    assert image_bytes(_uri(kind, data), "$") == len(data)


def test_the_limits_are_on_decoded_bytes() -> None:
    largest = b"\xff\xd8\xff" + bytes(MAX_IMAGE_BYTES - 3)

    assert image_bytes(_uri("jpeg", largest), "$") == MAX_IMAGE_BYTES
    for size in (1, 100):
        with pytest.raises(MediaRefused, match="larger"):
            image_bytes(_uri("jpeg", largest + bytes(size)), "$")
    check_total(MAX_CALL_BYTES)
    with pytest.raises(MediaRefused, match="together"):
        check_total(MAX_CALL_BYTES + 1)
