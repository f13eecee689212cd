"""Every page in both languages: whole, linked, labelled and of this site only."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from tests.factories.read_pages import Page
from tests.unit.gateway.portal.conftest import HOSTILE, write_board

from aml.gateway.portal.portal import Portal, asset_names
from aml.gateway.portal.sitemap import addresses

ADDRESSES = [address for address, _, _ in addresses()]


def text_of(portal: Portal, address: str) -> str:
    page = portal.page(address)
    assert page is not None
    return page.body.decode()


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_language_is_said_and_the_other_one_linked(portal: Portal, address: str) -> None:
    seen = Page(text_of(portal, address))
    chinese = address.startswith("/zh")
    twin = (address.removeprefix("/zh") or "/") if chinese else f"/zh{address}"

    assert seen.tags[0] == ("html", {"lang": "zh-Hans" if chinese else "en"})
    alternates = {each["hreflang"]: each["href"] for tag, each in seen.tags if tag == "link" and "hreflang" in each}
    assert alternates == {
        "en": twin if chinese else address,
        "zh-Hans": address if chinese else twin,
        "x-default": twin if chinese else address,
    }
    assert [each["href"] for _, each in seen.tags if "data-language-switch" in each] == [twin]


@pytest.mark.parametrize("address", ADDRESSES)
def test_ids_are_unique_and_everything_that_names_one_finds_it(portal: Portal, address: str) -> None:
    seen = Page(text_of(portal, address))
    ids = seen.values("id")

    assert len(ids) == len(set(ids))
    named = {name for value in ("for", "aria-labelledby", "aria-describedby") for name in seen.values(value)}
    named |= {link[1:] for link in seen.values("href") if link.startswith("#")}
    assert {each for names in named for each in names.split()} - set(ids) == set()


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_control_has_a_label(portal: Portal, address: str) -> None:
    seen = Page(text_of(portal, address))
    labelled = set(seen.values("for"))
    controls = [each for tag, each in seen.tags if tag in ("input", "select", "textarea") and "data-slot" not in each]

    assert [each for each in controls if each.get("id") not in labelled] == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_links_lead_to_pages_of_this_site(portal: Portal, address: str) -> None:
    seen = Page(text_of(portal, address))
    assets = {f"/assets/{name}" for name in asset_names()}

    for link in [*seen.values("href"), *seen.values("src")]:
        path = link.partition("#")[0]
        known = path in ADDRESSES or path in assets or path.startswith(("/api/", "/board/")) or not path
        assert known, link


def test_headings_do_not_skip_a_level(portal: Portal) -> None:
    for address in ADDRESSES:
        levels = [int(tag[1]) for tag, _ in Page(text_of(portal, address)).tags if re.fullmatch(r"h[1-6]", tag)]
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels)), address


def test_a_cycles_dates_prizes_and_a_releases_quotas_come_from_data(portal: Portal) -> None:
    participate, docs = text_of(portal, "/participate"), text_of(portal, "/zh/docs")

    assert "2026-10-31 23:59 UTC+8" in participate
    assert "2026-10-31 15:59 UTC" in participate
    assert "CNY 150,000" in participate
    assert "每小时 1 次，共 30 次" in docs


def test_a_board_is_previewed_and_its_names_are_only_text(portal: Portal, board_folder: Path) -> None:
    assert "job-1" not in text_of(portal, "/")

    write_board(board_folder, "1-aaaaaaaa", HOSTILE)

    home = text_of(portal, "/")
    assert "/board/systems/job-1.html" in home
    assert "<script>alert" not in home
    assert "<bdi>&lt;script&gt;" in home
    assert "Oracle" not in home
    assert "/board/zh/systems/job-1.html" in text_of(portal, "/zh/leaderboard")


def test_a_swapped_board_shows_and_an_unchanged_one_is_not_rendered_again(portal: Portal, board_folder: Path) -> None:
    write_board(board_folder, "1-aaaaaaaa", "First")
    first = portal.page("/")

    assert portal.page("/") is first

    write_board(board_folder, "2-bbbbbbbb", "Second")
    assert "Second" in text_of(portal, "/")


def test_other_addresses_are_no_pages(portal: Portal) -> None:
    assert portal.page("/zhh") is None
    assert portal.page("/en/docs") is None
    assert portal.page("/zh") is portal.page("/zh/")


@pytest.mark.parametrize("name", ["../portal.py", "nothing.js", "", "texts_fr.js", ".", "..", "a\x00b"])
def test_only_assets_are_served(portal: Portal, name: str) -> None:
    assert portal.asset(name) is None


def test_the_reference_lists_the_documents_operations(portal: Portal) -> None:
    page = text_of(portal, "/api-reference")

    assert 'id="post-api-v1-jobs"' in page
    assert 'href="#schema-Order"' in page
