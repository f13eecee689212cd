import pytest

from aml.judge.language.abstention import NO_INFORMATION, NO_INFORMATION_ZH, is_abstention


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
