"""The little markup that catalogue texts may hold: `code` in backticks, and [words](/of-a-link)."""

import re

from markupsafe import Markup, escape

from aml.contracts.vocabulary import Language

from .sitemap import address_in

_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\((/[^)\s]*|https://[^)\s]+)\)")


def prose(text: str, language: Language) -> Markup:
    """Links to a page stay in the reader's language; everything else is escaped."""
    safe = str(escape(text))
    safe = _CODE.sub(r"<code>\1</code>", safe)
    return Markup(_LINK.sub(lambda found: _link(found[1], found[2], language), safe))  # noqa: S704  escaped above


def _link(words: str, target: str, language: Language) -> str:
    return f'<a href="{address_in(language, target)}">{words}</a>'
