import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.judge.model_calls.prompt_template import TemplateError, fence_for, fill_template, names_in

TEMPLATE = "Rules, in {braces}.\n---\n<q {{fence}}>{{question}}</q {{fence}}> {{answer}}"


def test_the_line_of_dashes_divides_system_from_user() -> None:
    system, user = fill_template(TEMPLATE, {"question": "Q", "answer": "A"})
    assert (system.role, system.content) == ("system", "Rules, in {braces}.")
    assert user.role == "user"
    assert ">Q<" in user.content


def test_without_the_line_all_is_user() -> None:
    (only,) = fill_template("{{question}}", {"question": "Q"})
    assert (only.role, only.content) == ("user", "Q")


def test_values_are_never_read_as_templates() -> None:
    _, user = fill_template(TEMPLATE, {"question": "{{answer}} {0} {x!r} \\1 \\g<0>", "answer": "A"})
    assert "{{answer}} {0} {x!r} \\1 \\g<0>" in user.content


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(TemplateError, match=r"unknown \{\{gold\}\}; there is \{\{answer\}\}, \{\{fence\}\}"):
        fill_template("{{gold}}", {"answer": "A"})


def test_names_in_a_template() -> None:
    assert names_in(TEMPLATE) == {"question", "answer", "fence"}


@given(st.text(max_size=100), st.text(max_size=100))
def test_the_fence_is_in_no_value_and_depends_on_all(question: str, answer: str) -> None:
    fence = fence_for({"question": question, "answer": answer})
    assert fence not in question + answer
    assert fence != fence_for({"question": question + "x", "answer": answer})
    assert fence == fence_for({"answer": answer, "question": question})
