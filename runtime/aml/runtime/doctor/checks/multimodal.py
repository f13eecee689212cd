"""Text and an image in one message, and a question with an image."""

import base64
import struct
import zlib
from typing import Final

from aml.contracts.participant import ImagePart, ImageUrl, TextPart
from aml.runtime.doctor.check import Check, Finding, failed, passed, skipped
from aml.runtime.doctor.visit import Visit


async def _multimodal(visit: Visit) -> Finding:
    if visit.subject.track != "multimodal":
        return skipped("other_track", f"not of the {visit.subject.track} track")
    user, fact = visit.user("multimodal"), visit.told("multimodal", 15)
    image = ImagePart(image_url=ImageUrl(url=f"data:image/png;base64,{base64.b64encode(_picture()).decode()}"))
    await visit.add(user, (TextPart(text=fact.text), image, TextPart(text="That is the door.")), fact.text)
    found = await visit.search(user, (TextPart(text=fact.text), image))
    if not found.holds(fact.name):
        return failed("lost", "the text beside the image was not found again", about=found)
    return passed("text and image were taken, as a message and as a query")


def _picture() -> bytes:
    """A PNG of 8 by 8 red pixels (RFC 2083)."""
    rows = b"".join(b"\0" + b"\xc8\x32\x32" * 8 for _ in range(8))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


MULTIMODAL: Final = Check(
    name="multimodal",
    title="Parts of text and image",
    why="messages and queries of this track are lists of parts",
    mend="accept content and query as a string or as an array of text and image_url parts with data: URIs",
    run=_multimodal,
)
