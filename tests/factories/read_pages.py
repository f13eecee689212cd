"""Pages as a browser reads them: what it would act upon, and the text."""

from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """`wrong` says where an element is closed that is not open, or the other way round."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.wrong += [f"{tag} is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.wrong.append(f"{tag} closes {self._open[-1:]} at {self.getpos()}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @property
    def said(self) -> str:
        """All of the text, with single spaces."""
        return " ".join(" ".join(self.text).split())

    def values(self, attribute: str) -> list[str]:
        """Of whatever has this attribute; empty where it has no value."""
        return [attributes[attribute] or "" for _, attributes in self.tags if attribute in attributes]

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def addresses(self, tag: str, attribute: str = "href") -> list[str]:
        """Where these elements lead; one that a script gives its address leads nowhere yet."""
        return [address for each in self.all(tag) if (address := each.get(attribute)) is not None]


def pages_of(files: dict[str, bytes]) -> dict[str, Page]:
    return {address: Page(data.decode()) for address, data in files.items() if address.endswith(".html")}
