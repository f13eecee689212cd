import re
from datetime import datetime
from xml.etree import ElementTree as ET

from tests.factories import events
from tests.factories.boards import a_shown_board, some_systems
from tests.factories.results import a_gate, a_result, digest_of

from aml.publisher.catalogue import catalogue
from aml.publisher.feeds.atom import atom_feed
from aml.publisher.shown_board import ShownBoard, Surroundings
from aml.rules.identity import event_id

ATOM = "{http://www.w3.org/2005/Atom}"


def feed(*boards: ShownBoard, around: Surroundings | None = None, folder: str = "") -> ET.Element:
    t = catalogue("zh" if folder else "en")
    return ET.fromstring(atom_feed(boards, around or Surroundings(), t, folder=folder))


def texts(parent: ET.Element, name: str) -> list[str]:
    return [each.text or "" for each in parent.findall(f"{ATOM}{name}")]


def test_it_has_what_rfc_4287_asks_of_a_feed_and_of_an_entry() -> None:
    root = feed(a_shown_board(some_systems()))

    assert root.tag == f"{ATOM}feed"
    assert [len(texts(root, name)) for name in ("id", "title", "updated")] == [1, 1, 1]
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    assert {each.get("rel") for each in root.findall(f"{ATOM}link")} == {"self", "alternate"}
    entries = root.findall(f"{ATOM}entry")
    assert len(entries) == 11
    for entry in entries:
        assert [len(texts(entry, name)) for name in ("id", "title", "updated")] == [1, 1, 1]
        assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", texts(entry, "id")[0])
        assert datetime.fromisoformat(texts(entry, "updated")[0]).tzinfo is not None
        assert [each.get("rel") for each in entry.findall(f"{ATOM}link")] == ["alternate"]
    assert len({texts(entry, "id")[0] for entry in entries}) == 11


def test_the_newest_comes_first_and_dates_the_feed() -> None:
    root = feed(a_shown_board([a_gate(f"j{n}", system=f"S{n}") for n in range(3)]))

    updated = [texts(entry, "updated")[0] for entry in root.findall(f"{ATOM}entry")]
    assert updated == sorted(updated, reverse=True)
    assert texts(root, "updated") == updated[:1]


def test_an_entry_keeps_its_id_whatever_becomes_of_its_board() -> None:
    gate = a_gate("a")
    alone = feed(a_shown_board([gate]))
    later = feed(
        a_shown_board([a_gate("b", result=a_result(900_000)), gate]), around=Surroundings(url="https://x.example")
    )

    (before,) = texts(alone.findall(f"{ATOM}entry")[0], "id")
    assert before == f"urn:uuid:{event_id(gate)}"
    assert before in {texts(entry, "id")[0] for entry in later.findall(f"{ATOM}entry")}
    assert texts(alone, "id") == texts(later, "id")


def test_links_are_absolute_where_the_sites_address_is_known() -> None:
    shown = a_shown_board([a_gate("a")])
    known = feed(shown, around=Surroundings(url="https://board.example/aml"), folder="zh/")

    assert known.findall(f"{ATOM}entry/{ATOM}link")[0].get("href") == "https://board.example/aml/zh/systems/a.html"
    assert feed(shown).findall(f"{ATOM}entry/{ATOM}link")[0].get("href") == "systems/a.html"


def test_each_language_is_a_feed_of_its_own() -> None:
    shown = a_shown_board([a_gate("a")])

    assert texts(feed(shown), "id") != texts(feed(shown, folder="zh/"), "id")


def test_no_row_leaves_a_valid_feed() -> None:
    for root in (feed(), feed(a_shown_board([]))):
        assert texts(root, "updated") == ["1970-01-01T00:00:00Z"]
        assert root.findall(f"{ATOM}entry") == []


def test_a_large_field_is_cut_to_the_newest() -> None:
    root = feed(
        a_shown_board([a_gate(f"j{n}") for n in range(120)]),
        a_shown_board([a_gate("x", release_digest=digest_of("y"))]),
    )

    assert len(root.findall(f"{ATOM}entry")) == 100


def test_hostile_names_are_text_and_the_team_is_named() -> None:
    gate = a_gate("a", system='<script>&"\x00\u202egnp.exe')
    told = events.told(at=1, version_id="version-a", key_id="key-a", organisation="Recall & Sons")
    root = feed(a_shown_board([gate]), around=Surroundings(disclosures={"version-a": told}))

    assert '<script>&"\ufffdgnp.exe' in texts(root.findall(f"{ATOM}entry")[0], "title")[0]
    assert root.findtext(f"{ATOM}entry/{ATOM}author/{ATOM}name") == "Recall & Sons"
