"""Renders pages of one language: English at the top of the site, Chinese under `zh/`, each page linked to its twin."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aml.contracts.vocabulary import Language
from aml.publisher import formats
from aml.publisher.catalogue import catalogue
from aml.publisher.charts import score_bar
from aml.publisher.plain_text import isolated
from aml.publisher.shown_board import Files

_TEMPLATES = Path(__file__).parents[1] / "templates"
_OTHER: dict[Language, Language] = {"en": "zh", "zh": "en"}


class Pages:
    def __init__(self, language: Language, *, has_cycles: bool) -> None:
        self.language = language
        self._has_cycles = has_cycles
        self.t = catalogue(language)
        self.folder = _folder(language)
        """Of this language inside the site, with its slash; empty for the first one."""

    def page(self, address: str, template: str, *, twin: str | None = None, **values: object) -> Files:
        """`twin` is the address of the same page in the other language, where it is not the same one."""
        depth = address.count("/")
        root = "../" * (depth + self.folder.count("/"))
        text = (
            _environment()
            .get_template(template)
            .render(
                t=self.t,
                pages_language=self.language,
                has_cycles=self._has_cycles,
                root=root,
                here="../" * depth,
                home=f"{'../' * depth}index.html",
                other_page=f"{root}{_folder(_OTHER[self.language])}{twin or address}",
                **values,
            )
        )
        return {f"{self.folder}{address}": text.encode()}


def _folder(language: Language) -> str:
    return "" if language == "en" else f"{language}/"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., object]] = {
        "millis": formats.millis_of,
        "percent": formats.percent,
        "duration": formats.duration,
        "count": lambda number: formats.count(int(number)),
        "utc_date": formats.utc_date,
        "utc_minute": formats.utc_minute,
        "iso_instant": formats.iso_instant,
        "zoned_minute": formats.zoned_minute,
        "margin": lambda row: formats.margin(row.overall, row.interval.low, row.interval.high),
        "isolated": isolated,
    }
    environment.filters.update(filters)
    environment.globals["score_bar"] = score_bar
    return environment
