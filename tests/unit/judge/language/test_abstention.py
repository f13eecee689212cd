import pytest

from aml.judge.language.abstention import (
    NO_INFORMATION,
    NO_INFORMATION_ZH,
    abstains_after_all,
    admits_ignorance,
    is_abstention,
)


@pytest.mark.parametrize(
    "answer",
    [
        NO_INFORMATION,
        NO_INFORMATION_ZH,
        "That was not mentioned.",
        "I don't know.",
        "I don’t know, sorry",
        "There is not enough information to tell.",
        "Her age is never stated in the conversations.",
        "我不知道。",
        "对话中没有提到这一点",
        "Unknown",
    ],
)
def test_declining_is_recognised(answer: str) -> None:
    assert is_abstention(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   ",
        "I don't know what to paint next, she said",
        "Paris",
        "He mentioned the notary",
        "She moved. Her age is not mentioned.",
    ],
)
def test_these_do_not_decline(answer: str) -> None:
    assert not is_abstention(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Her job isn't mentioned anywhere.",
        "I'm sorry, but I don't have that information.",
        "I'm afraid I don't know what she does.",
        "I couldn't find anything about her job.",
        "You told me of an appointment, but not at what time.",
        "抱歉，您还没有跟我说过她的工作。",
        "我这里没有关于她工作的信息。",
        "对不起，我不知道她做什么。",
    ],
)
def test_polite_ways_to_decline_are_recognised(answer: str) -> None:
    assert is_abstention(answer)


def test_ignorance_is_admitted_anywhere() -> None:
    assert admits_ignorance("A Danish composer; the year was never mentioned.")
    assert not admits_ignorance("A Danish composer, in 1931.")


@pytest.mark.parametrize(
    ("answer", "declines"),
    [
        ("She came in May. However, you haven't told me what she does.", True),
        ("She came in May. Her job was not mentioned, though.", True),
        ("她五月来过，不过您没有告诉我她的工作。", True),
        ("She is a vet. Cats were never mentioned.", False),
        ("She came in May, but she is a vet.", False),
    ],
)
def test_declining_after_what_is_known_is_its_opposite(answer: str, declines: bool) -> None:
    assert abstains_after_all(answer) is declines
