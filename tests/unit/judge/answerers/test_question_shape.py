import pytest

from aml.judge.answerers.question_shape import shape_of


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("When did she move?", "date"),
        ("On which date did I swim?", "date"),
        ("我的智齿是哪一天拔的？", "date"),
        ("On what day of the week is pottery?", "text"),
        ("我每周哪一天上课？", "text"),
        ("How many cats does he have?", "number"),
        ("How many euros did both cost together?", "total"),
        ("我一共花了多少元？", "total"),
        ("How many days passed between the two visits?", "span"),
        ("Did she like it?", "polarity"),
        ("你喜欢茶吗？", "polarity"),
        ("Where is the key?", "text"),
    ],
)
def test_what_is_asked_for(question: str, wants: str) -> None:
    assert shape_of(question).wants == wants


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Where does he live now?", "latest"),
        ("她现在住在哪里？", "latest"),
        ("Where did he originally live?", "earliest"),
        ("Where does he live?", "any"),
    ],
)
def test_which_of_several_counts(question: str, order: str) -> None:
    assert shape_of(question).order == order
