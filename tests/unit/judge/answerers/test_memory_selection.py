import pytest

from aml.judge.answerers.memory_ranking import rank_memories
from aml.judge.answerers.memory_selection import select_memories
from aml.judge.answerers.question_shape import shape_of
from aml.judge.language.words import content_terms

FILLER = [f"[2023-01-01] Bo: a walk numbered {i}" for i in range(20)]


def selected(question: str, *memories: str) -> list[str]:
    terms = content_terms(question)
    return [
        memory.text for memory in select_memories(rank_memories(terms, memories), shape_of(question), memories, terms)
    ]


def test_all_of_a_short_list_are_used() -> None:
    assert selected("Where is the key?", "it lies under the mat", "the key is new") == [
        "the key is new",
        "it lies under the mat",
    ]


def test_a_second_memory_must_add_a_word_of_the_question() -> None:
    same = "[2023-01-01] Ann: a telescope"
    assert selected("Where is the telescope?", same, same, *FILLER) == [same]
    other = "[2023-01-01] Ann: the attic is dusty"
    assert selected("Is the telescope in the attic?", same, other, *FILLER) == [same, other]


def test_the_newest_of_near_equals_comes_first_when_the_question_asks_for_now() -> None:
    old, new = "[2022-01-01] Ann: my rent is 900", "[2023-01-01] Ann: my rent is 950"
    assert selected("What is my rent now?", old, new, *FILLER)[0] == new
    assert selected("What was my rent?", old, new, *FILLER)[0] == old


def test_a_common_name_leads_nowhere() -> None:
    best = "[2022-01-01] Ann: the telescope belongs to Bo"
    assert selected("Whose telescope?", best, *FILLER) == [best]


@pytest.mark.parametrize(("first", "other"), [("Imre", "Zita"), ("Zita", "Imre")])
def test_of_two_rare_names_the_first_one_leads_on(first: str, other: str) -> None:
    best = f"[2022-01-01] Ann: my piano teacher is beside {first} and knows {other}"
    places = {name: f"[2022-01-02] Ann: {name} moved to Leeds" for name in ("Imre", "Zita")}
    assert selected("Where is my piano teacher?", best, *places.values(), *FILLER) == [best, places[first]]
