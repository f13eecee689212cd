import msgspec
from tests.factories.samples import a_question

from aml.retrieval.search_question import search_request


def test_an_open_question_sends_no_options():
    request = search_request(a_question("q", "Where?"), "eval:j:d:s", 100)

    assert msgspec.json.decode(msgspec.json.encode(request)) == {
        "query": "Where?",
        "user_id": "eval:j:d:s",
        "top_k": 100,
    }


def test_choices_travel_at_the_top_level_in_their_order():
    request = search_request(a_question("q", options=("(a) one", "(b) two")), "u", 5)

    assert msgspec.json.decode(msgspec.json.encode(request))["options"] == ["(a) one", "(b) two"]


def test_question_type_and_category_are_never_sent():
    question = a_question("q", question_type="CANARY-TYPE", category="CANARY-CATEGORY")

    assert b"CANARY" not in msgspec.json.encode(search_request(question, "u", 5))
