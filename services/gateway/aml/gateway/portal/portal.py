"""All pages and assets as bytes: each made once, when first asked for; those that preview the board again after a swap."""

import json
import mimetypes
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from aml.contracts.cycle import Cycle
from aml.contracts.vocabulary import Language
from aml.gateway.public.releases import KnownReleases

from . import cycle_view
from .board_preview import read_previews
from .catalogue import HTML_LANGUAGE, LANGUAGES, catalogue
from .facts import Facts, site_stamp
from .module_graph import modules_of
from .prose import prose
from .rendered import Rendered, make_rendered
from .sitemap import PAGES, Page, address_in, address_of, addresses

_FOLDER = Path(__file__).parent
_PREVIEWING = {"home", "leaderboard"}
MILLIONTHS_A_PERCENT = 10_000


class Portal:
    def __init__(
        self,
        *,
        releases: KnownReleases,
        cycles: tuple[Cycle, ...],
        board_folder: Path,
        document: Callable[[], Mapping[str, Any]],
    ) -> None:
        self._releases = releases
        self._cycles = cycles
        self._board_folder = board_folder
        self._document = document
        self._environment = page_environment()
        self._addresses = {address: (page, language) for address, page, language in addresses()}
        self._pages: dict[str, tuple[str, Rendered]] = {}
        self._assets: dict[str, Rendered] = {}
        self._facts: tuple[str, Facts] | None = None

    def page(self, address: str) -> Rendered | None:
        """What stands at `address`, with or without a slash at its end; None for no page of the portal."""
        spellings = (address, f"{address}/", address.rstrip("/"))
        address = next((each for each in spellings if each in self._addresses), "")
        if not address:
            return None
        page, language = self._addresses[address]
        stamp = site_stamp(self._board_folder) if page.name in _PREVIEWING else ""
        made = self._pages.get(address)
        if made is None or made[0] != stamp:
            made = stamp, make_rendered(self._render(page, language).encode(), "text/html")
            self._pages[address] = made
        return made[1]

    def asset(self, name: str) -> Rendered | None:
        """A file under `/assets/`: those in `static/`, and the scripts' words, made from the catalogue."""
        if name not in self._assets:
            if (body := _read_asset(name)) is None:
                return None
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            self._assets[name] = make_rendered(body, kind)
        return self._assets[name]

    def facts(self) -> Facts:
        stamp = site_stamp(self._board_folder)
        if self._facts is None or self._facts[0] != stamp:
            site = self._board_folder / "current"
            facts = Facts(
                releases=self._releases,
                cycles=self._cycles,
                boards=read_previews(site),
                board_cycles=(site / "cycles" / "index.html").is_file(),
                document=self._document,
            )
            self._facts = stamp, facts
        return self._facts[1]

    def _render(self, page: Page, language: Language) -> str:
        t = catalogue(language)
        other: Language = "zh" if language == "en" else "en"
        return self._environment.get_template(f"{page.name}.html").render(
            t=t,
            lang=language,
            html_language=HTML_LANGUAGE[language],
            page=page,
            pages=PAGES,
            other=other,
            twin={each: address_of(page, each) for each in LANGUAGES},
            link=lambda target: address_in(language, target),
            p=lambda key, **values: prose(t(key, **values), language),
            said=lambda words: cycle_view.said(words, language),
            modules=modules_of(page.script or "every_page.js"),
            facts=self.facts(),
        )


def asset_names() -> tuple[str, ...]:
    files = sorted(path.name for path in (_FOLDER / "static").iterdir() if path.is_file())
    return (*files, *(f"texts_{language}.js" for language in LANGUAGES))


@cache
def page_environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "percent": lambda millionths: f"{millionths / MILLIONTHS_A_PERCENT:.1f}",
        "margin": lambda row: f"{max(row.high - row.overall, row.overall - row.low) / MILLIONTHS_A_PERCENT:.1f}",
        "count": lambda number: f"{number:,}",
        "announced": cycle_view.announced,
        "utc": cycle_view.utc,
        "iso": cycle_view.iso,
        "prose": prose,
    }
    environment.filters.update(filters)
    environment.globals.update(prize_lines=cycle_view.prize_lines, pool=cycle_view.pool, money=cycle_view.money)
    environment.globals["mark"] = Markup((_FOLDER / "templates" / "mark.svg").read_text("utf-8").strip())  # noqa: S704  ours
    return environment


def _read_asset(name: str) -> bytes | None:
    for language in LANGUAGES:
        if name == f"texts_{language}.js":
            words = json.dumps(catalogue(language).part("scripts"), ensure_ascii=False, indent=1)
            return f"export default {words};\n".encode()
    return (_FOLDER / "static" / name).read_bytes() if name in asset_names() else None
