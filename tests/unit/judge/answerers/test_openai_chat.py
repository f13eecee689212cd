from tests.factories.judging import ScriptedModel, a_question, memories

from aml.contracts.participant import Memory
from aml.judge.answerers.openai_chat import ANSWER_VALUES, answer_values, answer_with_model


def test_values_list_memories_options_and_the_day_of_the_question() -> None:
    question = a_question("Which?", options=("one", "two"), asked_at=1_683_504_000_000)
    values = answer_values(question, [*memories("a cat"), Memory(id="2", content="a dog", created_at=1_683_504_000)])
    assert values.keys() == ANSWER_VALUES
    assert values["memories"] == "1. a cat\n2. (stored 2023-05-08) a dog"
    assert values["options"] == "(a) one\n(b) two"
    assert values["asked_at"] == "2023-05-08 00:00 (Monday)"


def test_no_memories_are_said_to_be_none() -> None:
    assert answer_values(a_question(), [])["memories"] == "(none)"


async def test_the_template_is_filled_and_sent() -> None:
    model = ScriptedModel("Ghent")
    reply = await answer_with_model(
        "Answer.\n---\n{{question}} {{memories}}", a_question("Where?"), memories("x"), model
    )
    assert reply.text == "Ghent"
    assert [message.content for message in model.asked[0]] == ["Answer.", "Where? 1. x"]
