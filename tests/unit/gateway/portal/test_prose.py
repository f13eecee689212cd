"""The little markup of catalogue texts."""

from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.portal.prose import prose


def test_code_and_links() -> None:
    assert (
        prose("see `user_id` & [docs](/docs#modes)", "en")
        == 'see <code>user_id</code> &amp; <a href="/docs#modes">docs</a>'
    )
    assert prose("[文档](/docs)", "zh") == '<a href="/zh/docs">文档</a>'
    assert prose("[x](/api/openapi.json)", "zh") == '<a href="/api/openapi.json">x</a>'


def test_no_other_target_becomes_a_link() -> None:
    assert "<a" not in prose("[x](javascript:alert(1))", "en")


@given(st.text(alphabet="<>&\"'`[]()/a ", max_size=40))
def test_nothing_else_becomes_markup(text: str) -> None:
    made = str(prose(text, "en")).replace("<code>", "").replace("</code>", "").replace("</a>", "")
    for piece in made.split('<a href="')[1:]:
        assert piece.startswith("/")
        assert "<" not in piece.partition('">')[0]
    assert made.count("<") == made.count('<a href="')
