"""Which pages there are. English stands at `/…`, Chinese at `/zh/…`; the language switch keeps the page."""

from collections.abc import Iterator

from msgspec import Struct

from aml.contracts.vocabulary import Language

from .catalogue import LANGUAGES


class Page(Struct, frozen=True, kw_only=True):
    name: str
    """Also its template's and its catalogue file's name."""
    path: str
    """In English."""
    script: str | None = None
    """Its own module under `/assets/`, beside those that all pages have."""
    in_menu: bool = True


PAGES: tuple[Page, ...] = (
    Page(name="home", path="/", in_menu=False),
    Page(name="leaderboard", path="/leaderboard"),
    Page(name="evaluation", path="/evaluation", script="evaluation.js"),
    Page(name="participate", path="/participate", script="participate.js"),
    Page(name="docs", path="/docs"),
    Page(name="guide", path="/api-guide"),
    Page(name="provide", path="/provide-benchmark", script="provide_benchmark.js"),
    Page(name="reference", path="/api-reference", in_menu=False),
    Page(name="review", path="/review", script="review.js", in_menu=False),
    Page(name="operate", path="/operate", script="operate.js", in_menu=False),
)

_TRANSLATED = {page.path for page in PAGES}


def address_of(page: Page, language: Language) -> str:
    return address_in(language, page.path)


def address_in(language: Language, target: str) -> str:
    """A link's target in `language`: a page's address there, the board's Chinese part; anything else unchanged."""
    path, mark, rest = target.partition("#")
    if language == "en":
        return target
    if path in _TRANSLATED:
        return f"/{language}{path}{mark}{rest}"
    return f"/board/{language}/{path.removeprefix('/board/')}" if path.endswith((".html", "/board/")) else target


def addresses() -> Iterator[tuple[str, Page, Language]]:
    for language in LANGUAGES:
        for page in PAGES:
            yield address_of(page, language), page, language
