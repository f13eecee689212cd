from datetime import date

from aml.judge.answerers.memory_ranking import MemoryParts
from aml.judge.answerers.question_shape import QuestionShape, Wants
from aml.judge.answerers.quotation import SHORT_BODY, quote

SAID = date(2023, 5, 8)


def quoted(wants: Wants, *bodies: str, terms: str = "", said_on: date | None = SAID, zh: bool = False) -> str:
    parts = [MemoryParts(said_on=said_on, speaker="Ann", body=body) for body in bodies]
    return quote(QuestionShape(wants=wants, order="any"), frozenset(terms.split()), parts, zh=zh)


def test_a_question_inside_a_memory_is_not_the_answer() -> None:
    body = (
        "Did you ever wonder about the violin and its maker? "
        "The maker lived in Mittenwald for many years. "
        "Good night to all of you."
    )
    assert len(body) > SHORT_BODY
    assert quoted("text", body, terms="violin maker") == "The maker lived in Mittenwald for many years."


def test_the_same_sentence_is_quoted_once() -> None:
    assert quoted("text", "A cat.", "A cat.") == "A cat."


def test_without_any_date_the_sentence_itself_is_the_answer() -> None:
    assert quoted("date", "it was sunny", said_on=None) == "it was sunny"


def test_a_date_without_year_is_in_the_year_in_which_it_was_said() -> None:
    assert quoted("date", "the fair is on 3 June") == "3 June 2023"


def test_a_number_is_preferred_to_words_only_if_there_is_one() -> None:
    assert quoted("number", "we have 3 cats now") == "3 cats now"
    assert quoted("number", "we have cats") == "we have cats"


def test_a_span_needs_two_dated_events() -> None:
    assert quoted("span", "left it today", "fetched it in 3 days") == "3 days"
    assert quoted("span", "今天送去", "三天后取", zh=True) == "3天"
    assert quoted("span", "away for 9 days") == "9 days"


def test_polarity_in_chinese() -> None:
    assert quoted("polarity", "我不喜欢鱼", zh=True) == "不是，我不喜欢鱼"
