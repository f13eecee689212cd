"""The portal and the public board look like one site: the custom properties that both have say the same."""

import re
from pathlib import Path

import aml.gateway.portal.portal as portal_module

_PROPERTY = re.compile(r"(--[\w-]+):\s*([^;]+);")
_BOARD = "services/publisher/aml/publisher"


def properties(text: str) -> list[tuple[str, str]]:
    return _PROPERTY.findall(text)


def test_shared_properties_have_the_boards_values() -> None:
    root = Path(__file__).parents[4]
    (board_file,) = (root / _BOARD).rglob("style.css")
    board, portal = (
        properties(path.read_text("utf-8"))
        for path in (board_file, Path(portal_module.__file__).parent / "static" / "portal.css")
    )
    known: dict[str, set[str]] = {}
    for name, value in board:
        known.setdefault(name, set()).add(value)

    shared = [(name, value) for name, value in portal if name in known]
    assert len({name for name, _ in shared}) >= 15
    assert [(name, value) for name, value in shared if value not in known[name]] == []
