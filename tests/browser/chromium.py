"""Debian's Chromium, started in one way for every browser test, and the accessibility rules that each page is held to.

Playwright's own loop lives in the thread that started it as long as the browser is open, and no other loop can run there
meanwhile: a browser belongs to one module of tests, and is closed before the next module's.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and "AML_BROWSER_REQUIRED" not in os.environ, reason="there is no chromium on this machine"
)
_AXE = Axe()


@contextmanager
def open_chromium() -> Iterator[Browser]:
    assert CHROMIUM is not None, "AML_BROWSER_REQUIRED is set, and there is no chromium on this machine"
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def violations(page: Page, *, colours: bool = True) -> list[tuple[str, list[str]]]:
    """Each broken rule with the elements that break it. To judge `colours` takes as long as everything else together."""
    options = None if colours else {"rules": {"color-contrast": {"enabled": False}}}
    found = _AXE.run(page, options=options).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]


def overhang(page: Page) -> int:
    """Pixels by which the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
