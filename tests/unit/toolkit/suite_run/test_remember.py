import pytest

from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.suite_run.remember import case_of, probe_for


@pytest.mark.parametrize(
    ("fact", "ask", "expect"),
    [
        ("My favourite language is Python", "What is my favourite language?", ("Python",)),
        ("my children are Ann and Bo.", "What are my children?", ("Ann and Bo",)),
        ("Our office was on the  5th floor", "What was my office?", ("on the 5th floor",)),
    ],
)
def test_a_sentence_about_what_is_mine_is_asked_for_its_value(fact: str, ask: str, expect: tuple[str, ...]) -> None:
    probe = probe_for(fact, None, (), "en")

    assert (probe.ask, probe.expect) == (ask, expect)


def test_any_other_sentence_is_asked_back_for_its_telling_words() -> None:
    probe = probe_for("I moved to Graz in 2019", None, (), "en")

    assert probe.ask == "What did I tell you earlier? Please say it again."
    assert probe.expect == ("moved", "Graz", "2019")


def test_chinese_is_asked_in_chinese() -> None:
    probe = probe_for("我的猫叫豆豆。", None, (), "zh")

    assert (probe.ask, probe.expect) == ("我的猫是什么？", ("豆豆",))


def test_ones_own_question_and_answer_are_taken() -> None:
    probe = probe_for("My cat is called Bo", "Who purrs?", ("Bo",), "en")

    assert (probe.ask, probe.expect) == ("Who purrs?", ("Bo",))


@pytest.mark.parametrize("fact", ["", "  \n", "?!"])
def test_a_fact_that_says_nothing_is_refused(fact: str) -> None:
    with pytest.raises(WrongUsage):
        probe_for(fact, None, (), "en")


def test_the_fact_is_told_once_and_talked_over_before_it_is_asked_for() -> None:
    fact = "My favourite\nlanguage is Python"
    case = case_of(fact, probe_for(fact, None, (), "en"), "en")

    [session] = case.sample.sessions
    assert session.turns[0].content == "My favourite language is Python"
    assert len(session.turns) > 4
    [gold] = case.sample.gold
    assert gold.evidence == (session.turns[0].turn_id,)
    assert case.sample.questions[0].question_type == "standard"
