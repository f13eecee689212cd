"""`feed.xml`: newly approved rows, newest first, for a reader of feeds (Atom, RFC 4287).

An entry's id is that of its GatePassed event: it stays the same whatever becomes of the board, its rank or its address.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from aml.contracts.boards import BoardRow
from aml.contracts.seals import GatePassed
from aml.publisher.catalogue import Catalogue
from aml.publisher.formats import count, iso_instant, margin, percent
from aml.publisher.plain_text import isolated
from aml.publisher.shown_board import ShownBoard, Surroundings
from aml.rules.identity import event_id_at, job_subject

_ATOM = "http://www.w3.org/2005/Atom"
_LATEST = 100
_FEED_NAME = "aml.board.feed.v1"


@dataclass(frozen=True, kw_only=True)
class _Item:
    row: BoardRow
    shown: ShownBoard


def atom_feed(boards: Sequence[ShownBoard], around: Surroundings, t: Catalogue, *, folder: str) -> bytes:
    """`folder` is that of the language inside the site. Links are relative where the site's address is not known."""
    ET.register_namespace("", _ATOM)
    items = sorted(
        (_Item(row=row, shown=shown) for shown in boards for row in shown.board.rows),
        key=lambda one: (-one.row.approved_at, one.row.job_id),
    )
    # A feed must say when it changed; one without a row has no time of its own.
    updated = iso_instant(items[0].row.approved_at if items else 0)
    base = f"{around.url}/{folder}" if around.url is not None else ""
    feed = ET.Element(f"{{{_ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": t("lang")})
    _text(feed, "id", f"urn:uuid:{_feed_id(boards, t.language)}")
    _text(feed, "title", t("feed.title"))
    _text(feed, "updated", updated)
    _text(ET.SubElement(feed, f"{{{_ATOM}}}author"), "name", t("brand"))
    _link(feed, "self", f"{base}feed.xml", "application/atom+xml")
    _link(feed, "alternate", f"{base}index.html", "text/html")
    for item in items[:_LATEST]:
        _entry(feed, item, around, t, base)
    ET.indent(feed)
    document: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _entry(feed: ET.Element, item: _Item, around: Surroundings, t: Catalogue, base: str) -> None:
    row = item.row
    subject = row.subject
    entry = ET.SubElement(feed, f"{{{_ATOM}}}entry")
    _text(entry, "id", f"urn:uuid:{event_id_at(job_subject(row.job_id, GatePassed))}")
    name = f"{isolated(subject.system)} {isolated(subject.version)}"
    _text(entry, "title", t("feed.entry", system=name, score=percent(row.overall), board=isolated(item.shown.title)))
    _text(entry, "updated", iso_instant(row.approved_at))
    _text(entry, "published", iso_instant(row.approved_at))
    if organisation := around.organisation(row):
        _text(ET.SubElement(entry, f"{{{_ATOM}}}author"), "name", isolated(organisation))
    _link(entry, "alternate", f"{base}systems/{row.job_id}.html", "text/html")
    for term in (subject.track, subject.division):
        ET.SubElement(entry, f"{{{_ATOM}}}category", {"term": term})
    scored = sum(each.tally.scored for each in row.datasets)
    planned = sum(each.tally.planned for each in row.datasets)
    summary = t(
        "feed.summary",
        score=percent(row.overall),
        margin=margin(row.overall, row.interval.low, row.interval.high),
        scored=count(scored),
        planned=count(planned),
        track=t(f"track.{subject.track}"),
        division=t(f"division.{subject.division}"),
        release=subject.release_id,
    )
    _text(entry, "summary", summary)


def _feed_id(boards: Sequence[ShownBoard], language: str) -> str:
    """Of the log that the boards stand on: its first line names it, and a site has one log."""
    origin = boards[0].board.checkpoint.partition("\n")[0] if boards else ""
    return event_id_at(f"{_FEED_NAME}.{hashlib.sha256(origin.encode()).hexdigest()}.{language}")


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}{name}").text = text


def _link(parent: ET.Element, relation: str, href: str, media_type: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}link", {"rel": relation, "href": href, "type": media_type})
