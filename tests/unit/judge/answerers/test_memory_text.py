import pytest

from aml.contracts.participant import ImagePart, ImageUrl, Memory, TextPart
from aml.judge.answerers.memory_text import created_on, text_of


def test_parts_are_joined_and_an_image_leaves_a_mark() -> None:
    content = (TextPart(text="a red door"), ImagePart(image_url=ImageUrl(url="data:image/png;base64,AA==")))
    assert text_of(Memory(id="1", content=content)) == "a red door\n[image]"


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        (None, None),
        ("last spring", "last spring"),
        (1_683_504_000, "2023-05-08"),
        (1_683_504_000_000, "2023-05-08"),
        (9e18, None),
    ],
)
def test_created_at_in_the_forms_that_participants_send(stamp: str | float | None, expected: str | None) -> None:
    assert created_on(Memory(id="1", content="x", created_at=stamp)) == expected
