"""A large public board: 500 systems over 12 datasets. How long its site takes to make, what its page weighs, and how soon a
reader can use it in a browser, where playwright and a Chromium are installed.

`measure`: rendering and size alone. `measure_browser`: the page behind a plain file server of this process.
"""

import functools
import gzip
import http.server
import importlib.util
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from tests.factories.boards import a_shown_board
from tests.factories.results import a_gate, a_result, a_tally

from aml.contracts.seals import CategoryResult, JobResult
from aml.contracts.vocabulary import Capability
from aml.publisher.catalogue import LANGUAGES
from aml.publisher.render_board import NOWHERE, render_site
from aml.publisher.shown_board import Files, ShownBoard
from aml.publisher.site.board_page import board_page
from aml.publisher.site.pages import Pages

SYSTEMS = 500
DATASETS = 12
_CAPABILITIES: tuple[Capability, ...] = ("fact_recall", "multi_hop", "temporal", "knowledge_update", "abstention")
_REPEATS = 3


def a_large_board(systems: int = SYSTEMS, datasets: int = DATASETS) -> ShownBoard:
    """Scores from 95 down, half of the systems commercial, and the three arms between them."""
    gates = [
        a_gate(
            f"job-{number:04}",
            system=f"Memory system {number}",
            version=f"{number % 9}.{number % 7}.0",
            division="commercial" if number % 2 else "open_source",
            result=_result(950_000 - number * 1_500, number, datasets),
        )
        for number in range(systems)
    ]
    for arm, score in (("oracle", 912_000), ("full_context", 735_000), ("no_memory", 118_000)):
        result = _result(score, 1, datasets)
        gates.append(a_gate(f"arm-{arm}", system=arm, division="baseline", arm=arm, result=result))  # type: ignore[arg-type]
    return a_shown_board(gates, comparable=True)


def measure() -> dict[str, Any]:
    shown = a_large_board()
    spent: dict[str, list[float]] = {"site": [], "page": []}
    files: Files = {}
    for _ in range(_REPEATS):
        again = ShownBoard(
            board_id=shown.board_id, title=shown.title, basis=shown.basis, board=shown.board, entries=shown.entries
        )  # as the publisher has it: nothing of it was read before
        spent["site"].append(_cpu(lambda again=again: files.update(render_site([again]))))  # type: ignore[misc]
        pages = Pages("en", has_cycles=False)
        spent["page"].append(_cpu(lambda again=again, pages=pages: board_page(pages, again, NOWHERE, many=False)))  # type: ignore[misc]
    page = files["index.html"]
    assets = [files[name] for name in ("style.css", "page.js", "board.js", "compare.js", "theme.js")]
    return {
        "systems": SYSTEMS,
        "datasets": DATASETS,
        "languages": len(LANGUAGES),
        "files": len(files),
        "site_cpu_s": statistics.median(spent["site"]),
        "page_cpu_s": statistics.median(spent["page"]),
        "page_bytes": len(page),
        "page_gzip_bytes": len(gzip.compress(page, 6)),
        "page_and_assets_gzip_bytes": sum(len(gzip.compress(each, 6)) for each in (page, *assets)),
        "rows_json_gzip_bytes": len(gzip.compress(files["board.rows.json"], 6)),
    }


def measure_browser() -> dict[str, Any]:
    """Milliseconds in Chromium, medians; `{}` where there is no browser to ask."""
    browser = shutil.which("chromium")
    if browser is None or importlib.util.find_spec("playwright") is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        for address, content in render_site([a_large_board()]).items():
            path = Path(folder) / address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        handler = functools.partial(_Quiet, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                return _in_browser(browser, f"http://127.0.0.1:{server.server_port}/")
            finally:
                server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class's own name
        pass


def _in_browser(executable: str, address: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  an optional part of the bench

    found: dict[str, list[float]] = {"interactive_ms": [], "filter_ms": [], "sort_ms": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for _ in range(_REPEATS):
            page = browser.new_page()
            page.goto(address)
            page.wait_for_selector("html[data-ready=board]", state="attached")
            # Deferred scripts have run when this event ends: every control answers from here on.
            found["interactive_ms"].append(
                page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
            )
            found["filter_ms"].append(page.evaluate(_FILTER))
            found["sort_ms"].append(page.evaluate(_SORT))
            page.close()
        browser.close()
    return {name: statistics.median(values) for name, values in found.items()}


_TO_NEXT_FRAME = """
  const began = performance.now();
  const done = new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began))));
"""
_FILTER = f"""() => {{
  const field = document.querySelector("[data-filter]");
  field.value = "system 4";
  {_TO_NEXT_FRAME}
  field.dispatchEvent(new Event("input"));
  return done;
}}"""
_SORT = f"""() => {{
  {_TO_NEXT_FRAME}
  document.querySelector("th[data-col=p95] button").click();
  return done;
}}"""


def _result(score: int, number: int, datasets: int) -> JobResult:
    plain = a_result(
        score,
        datasets={f"dataset-{place}": max(0, score - 4_000 * place) for place in range(datasets)},
        p95=4_000 + 997 * number,
        planned=500,
        margin=20_000,
        context_tokens=6_000_000 + 13_000 * number,
    )
    return replace(
        plain,
        datasets=tuple(
            replace(
                each,
                categories=tuple(
                    CategoryResult(
                        category=f"category-{place}",
                        capability=capability,
                        in_overall=True,
                        tally=a_tally(max(0, score - 9_000 * place), 100),
                    )
                    for place, capability in enumerate(_CAPABILITIES)
                ),
            )
            for each in plain.datasets
        ),
    )


def _cpu(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
