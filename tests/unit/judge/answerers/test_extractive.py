from hypothesis import given
from hypothesis import strategies as st

from aml.judge.answerers.extractive import MAX_CHARACTERS, answer_extractively
from aml.judge.language.abstention import NO_INFORMATION, NO_INFORMATION_ZH

CHATTER = [f"[2023-01-{day:02}] Bo: the weather was fine on walk number {day}" for day in range(1, 21)]


def asked(question: str, *memories: str) -> str:
    """Among 20 memories about something else, so that nothing is right by being alone."""
    return answer_extractively(question, [*memories, *CHATTER])


def test_without_memories_it_abstains_in_the_language_of_the_question() -> None:
    assert answer_extractively("Where does Noor live?", []) == NO_INFORMATION
    assert answer_extractively("诺尔住在哪里？", []) == NO_INFORMATION_ZH


def test_it_abstains_when_nothing_speaks_about_the_question() -> None:
    assert asked("Which instrument does the cousin play?") == NO_INFORMATION


def test_it_quotes_the_sentence_that_speaks_about_the_question() -> None:
    memory = (
        "[2023-05-08] Ann: What a long and tiring day that was at work again. My cousin plays the cello in an orchestra. "
        "Anyway, good night."
    )
    assert asked("Which instrument does the cousin play?", memory) == "My cousin plays the cello in an orchestra."


def test_a_relative_date_is_counted_from_the_day_it_was_said() -> None:
    memory = "[2023-05-08] Caroline: I went to the support group yesterday"
    assert asked("When did Caroline go to the support group?", memory) == "7 May 2023"


def test_a_date_without_a_relative_word_is_the_day_it_was_said() -> None:
    assert asked("When was the pottery class?", "[2023-06-09] Mel: the pottery class was fun") == "9 June 2023"


def test_a_written_date_is_taken_as_written() -> None:
    assert (
        asked("When does the passport expire?", "[2023-06-09] Mel: my passport expires on 3 March 2025")
        == "3 March 2025"
    )


def test_a_number_comes_with_what_it_counts() -> None:
    memory = "[2023-06-09] Mel: In 2 weeks my sister will own 14 orchids altogether"
    assert asked("How many orchids will the sister own?", memory).startswith("14 orchids")


def test_of_two_values_the_latest_counts_when_the_question_says_now() -> None:
    old, new = "[2023-01-09] Ann: my rent is 900 euros a month", "[2023-06-09] Ann: my rent is 950 euros a month"
    assert asked("How much rent does Ann pay now?", old, new).startswith("950")
    assert asked("How much rent did Ann originally pay?", new, old).startswith("900")


def test_days_between_two_events_are_counted() -> None:
    memories = (
        "[2023-03-01] Ann: I left the violin at the workshop today",
        "[2023-03-15] Ann: I fetched the violin yesterday",
    )
    assert answer_extractively("How many days passed between leaving and fetching the violin?", memories) == "13 days"


def test_two_amounts_are_added_when_the_question_asks_for_a_total() -> None:
    memories = (
        "[2023-03-01] Ann: the fridge repair cost 185 euros",
        "[2023-03-15] Ann: the washing machine repair cost 140 euros",
    )
    assert answer_extractively("How much did both repairs cost in total?", memories) == "325"


def test_a_rare_name_leads_to_the_second_memory() -> None:
    answer = asked(
        "Where does the cousin with the bakery live?",
        "[2023-03-01] Ann: my cousin Imre has opened a bakery with an oven of his own, and he gets up at four each morning",
        "[2023-04-01] Ann: a long call with Imre about the damp and friendly town of Ghent and all of its many stairs",
    )
    assert "bakery" in answer
    assert "Ghent" in answer


def test_yes_or_no_follows_the_negation_of_the_memory() -> None:
    assert asked("Does Ann eat fish?", "[2023-03-01] Ann: I never eat fish").startswith("No, ")
    assert asked("Does Ann eat fish?", "[2023-03-01] Ann: I eat fish on Fridays").startswith("Yes, ")


def test_chinese_is_answered_from_chinese_memories() -> None:
    memory = "[2023-05-08] user: 我表妹在乐队里拉大提琴"
    assert asked("我表妹拉什么琴？", memory) == "我表妹在乐队里拉大提琴"


def test_an_option_is_chosen_by_its_words_and_not_by_its_length() -> None:
    options = ("a very long description of pianos, organs, harps and much else besides", "the cello", "the flute")
    memory = "[2023-05-08] Ann: my cousin plays the cello"
    assert answer_extractively("Which instrument?", [memory, *CHATTER[:2]], options) == "(b)"
    assert answer_extractively("Which instrument?", [], options) == NO_INFORMATION


@given(st.text(max_size=120), st.lists(st.text(max_size=200), max_size=8), st.lists(st.text(max_size=20), max_size=4))
def test_any_text_is_answered_with_bounded_text(question: str, memories: list[str], options: list[str]) -> None:
    answer = answer_extractively(question, memories, options)
    assert len(answer) <= MAX_CHARACTERS
    assert answer == answer_extractively(question, memories, options)
