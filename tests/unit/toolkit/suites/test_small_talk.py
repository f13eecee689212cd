import string
from typing import get_args

import pytest

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.seeded import Seeded
from aml.toolkit.suites.small_talk import Exchange, SmallTalk, talk_grammar

LANGUAGES: tuple[Language, ...] = get_args(Language)


def talk_of(language: Language, seed: int, count: int, *, long_replies: bool = False) -> list[Exchange]:
    small_talk = SmallTalk(language, Seeded(seed, "talk"), long_replies=long_replies)
    return [small_talk.exchange() for _ in range(count)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_and_a_reply_without_a_placeholder_left(language: Language) -> None:
    for asked, replied in talk_of(language, 1, 300, long_replies=True):
        assert (asked.role, replied.role) == ("user", "assistant")
        assert asked.label is None
        assert not set("{}") & set(asked.text + replied.text)
        assert asked.text[0] not in string.ascii_lowercase


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_says_the_same_and_another_one_does_not(language: Language) -> None:
    assert talk_of(language, 1, 20) == talk_of(language, 1, 20)
    assert talk_of(language, 1, 20) != talk_of(language, 2, 20)


def test_these_words_for_ever() -> None:
    """Bundles are addressed by their bytes: a changed draw is a changed dataset on every machine."""
    asked, replied = talk_of("en", 7, 1)[0]
    assert (asked.text, replied.text) == PINNED


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hundred_exchanges_hardly_repeat_themselves(language: Language) -> None:
    assert len({asked.text for asked, _ in talk_of(language, 3, 100)}) >= 99


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_replies_are_a_few_sentences_longer(language: Language) -> None:
    short = sum(len(replied.text) for _, replied in talk_of(language, 4, 50))
    assert sum(len(replied.text) for _, replied in talk_of(language, 4, 50, long_replies=True)) > 2 * short


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_can_be_filled(language: Language) -> None:
    grammar = talk_grammar(language)
    assert grammar.language == language
    for topic in grammar.topics:
        for template in (*topic.user, *topic.assistant, *topic.more):
            assert {field for _, field, _, _ in string.Formatter().parse(template) if field} <= {"a", "b"}


PINNED = (
    "I stumbled over 'flabbergasted' in a quiz. What does it really mean?",
    "It's older than it sounds, and it has changed its meaning at least once.",
)
