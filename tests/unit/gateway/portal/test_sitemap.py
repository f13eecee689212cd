"""A link's target in each language."""

import pytest

from aml.gateway.portal.sitemap import PAGES, address_in, addresses


@pytest.mark.parametrize(
    ("target", "chinese"),
    [
        ("/", "/zh/"),
        ("/docs", "/zh/docs"),
        ("/docs#modes", "/zh/docs#modes"),
        ("/board/", "/board/zh/"),
        ("/board/textual-x.html", "/board/zh/textual-x.html"),
        ("/board/board.json", "/board/board.json"),
        ("/api/openapi.json", "/api/openapi.json"),
    ],
)
def test_targets(target: str, chinese: str) -> None:
    assert address_in("en", target) == target
    assert address_in("zh", target) == chinese


def test_every_page_has_one_address_a_language() -> None:
    found = [address for address, _, _ in addresses()]

    assert len(found) == len(set(found)) == 2 * len(PAGES)
