"""A flagged memory as a reviewer reads it."""

from aml.contracts.participant import ImagePart, ImageUrl, TextPart
from aml.gateway.review.fair_play_evidence import SHOWN_CHARS, text_of


def test_images_are_named_and_long_text_is_cut() -> None:
    image = ImagePart(image_url=ImageUrl(url="data:image/png;base64,AAAA"))

    assert text_of("plain") == "plain"
    assert text_of((TextPart(text="before"), image, TextPart(text="after"))) == "before\n[image]\nafter"
    assert len(text_of("x" * 100_000)) == SHOWN_CHARS
