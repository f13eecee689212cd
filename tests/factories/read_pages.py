"""Pages as a browser reads them: what it would act upon, and the text."""

from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def addresses(self, tag: str, attribute: str = "href") -> list[str]:
        """Where these elements lead; one that a script gives its address leads nowhere yet."""
        return [address for each in self.all(tag) if (address := each.get(attribute)) is not None]


def pages_of(files: dict[str, bytes]) -> dict[str, Page]:
    return {address: Page(data.decode()) for address, data in files.items() if address.endswith(".html")}
