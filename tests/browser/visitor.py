"""Somebody in front of a browser. Whatever they do, no page may fail, break its policy, or ask another origin for anything."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, WebError, expect
from tests.browser.chromium import overhang, violations
from tests.browser.look import PLAIN, SIZES, Look, Scheme

PATIENCE_MS = 15_000
_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d ")
"""The browser writes down every refusal that a page goes on to show; only those of the server itself are defects."""

_PAINT_ALL = """() => {
  for (const each of document.querySelectorAll("main *"))
    if (getComputedStyle(each).contentVisibility === "auto") each.style.contentVisibility = "visible";
}"""
"""What is painted only once it is scrolled to would be a blank in a picture of the whole page."""


class Visitor:
    """`complaints` must be empty at the end. The key, where one is given, is in the tab's session from the first page on."""

    def __init__(
        self, browser: Browser, origin: str, shots: Path, look: Look = PLAIN, *, key: str = "", script: bool = True
    ) -> None:
        width, height = SIZES[look.window]
        self.look = look
        self.origin = origin
        self.complaints: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=look.scheme,
            reduced_motion="reduce",
            java_script_enabled=script,
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("console", self._on_console)
        self.context.on("weberror", self._on_error)
        self.context.on("request", self._on_request)
        self.page: Page = self.context.new_page()
        self._shots = shots
        if key:
            self.page.goto(f"{origin}/assets/theme.js")
            self.page.evaluate("key => sessionStorage.setItem('aml-key', key)", key)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.origin}{self.look.address(path)}")

    def find(self, selector: str, text: str | re.Pattern[str] | None = None) -> Locator:
        return self.page.locator(selector, has_text=text)

    def see(self, selector: str, text: str | re.Pattern[str] | None = None, *, within_ms: int = PATIENCE_MS) -> Locator:
        """Waits until it is there, with `text` in it."""
        found = self.page.locator(selector)
        expect(found).to_be_visible(timeout=within_ms)
        if text is not None:
            expect(found).to_contain_text(text, timeout=within_ms)
        return found

    def fill(self, values: dict[str, str]) -> None:
        for control, value in values.items():
            self.page.fill(f"#{control}", value)

    def enter_key(self, key: str) -> None:
        self.page.fill("#key", key)
        self.page.press("#key", "Enter")
        self.see("#key-known")

    def confirm(self, reason: str | None = None) -> None:
        """The step before what cannot be taken back."""
        self.see("#confirm")
        if reason is not None:
            self.page.fill("#confirm-reason", reason)
        self.page.click("#confirm button[value=yes]")
        expect(self.page.locator("#confirm")).to_be_hidden()

    def look_over(self, name: str, *, colours: bool = True) -> None:
        """Holds the page as it now is to the rules of accessibility and to its window, and keeps a picture of it."""
        self.photograph(name)
        broken = violations(self.page, colours=colours)
        assert not broken, f"{name} {self.look}: {broken}"

    def photograph(self, name: str) -> None:
        self.page.evaluate(_PAINT_ALL)
        self.page.screenshot(path=self._shots / f"{name}-{self.look}.jpg", type="jpeg", quality=80, full_page=True)
        assert overhang(self.page) <= 0, f"{name} {self.look} is wider than its window"

    def turn(self, scheme: Scheme) -> None:
        """The same page in other colours."""
        self.look = Look(self.look.language, scheme, self.look.window)
        self.page.emulate_media(color_scheme=scheme)

    def close(self) -> None:
        self.context.close()
        assert not self.complaints, "\n".join(self.complaints)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _REFUSED.match(message.text):
            self.complaints.append(f"{message.type}: {message.text}")

    def _on_error(self, error: WebError) -> None:
        self.complaints.append(f"uncaught: {error.error}")

    def _on_request(self, request: Request) -> None:
        address = urlsplit(request.url.removeprefix("blob:"))
        if address.scheme != "data" and f"{address.scheme}://{address.netloc}" != self.origin:
            self.complaints.append(f"asked another origin: {request.url}")
