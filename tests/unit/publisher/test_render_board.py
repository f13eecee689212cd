import base64
import hashlib
import html
import json
import re
import subprocess
import sys
import time
from pathlib import Path, PurePosixPath

import msgspec
import pytest
from msgspec.structs import replace
from tests.factories import events
from tests.factories.boards import a_shown_board, some_systems
from tests.factories.read_pages import Page, pages_of
from tests.factories.results import SignedLog, a_gate, a_result, digest_of

from aml.contracts.boards import Board
from aml.publisher.render_board import render_site
from aml.publisher.shown_board import Surroundings, board_digest
from aml.publisher.site_index import SiteIndex
from aml.runtime.cycle_folder import load_cycles

NAUGHTY = Path(__file__).parents[3] / "../shared/vectors/strings/blns.json"


def around() -> Surroundings:
    """Cycles and a disclosure, so that every kind of page is there."""
    told = events.told(
        at=1, version_id="version-j00", key_id="key-j00", organisation="Lethe Lab", repository="https://git.example/a"
    )
    return Surroundings(cycles=load_cycles(), disclosures={"version-j00": told})


def test_the_front_page_is_the_only_boards_page() -> None:
    shown = a_shown_board(some_systems(), title="Spring")

    files = render_site([shown])

    assert files["index.html"] == files[f"{shown.board_id}.html"]
    assert files["zh/index.html"] == files[f"zh/{shown.board_id}.html"]
    assert files["board.json"] == files[f"{shown.board_id}.json"]
    assert msgspec.json.decode(files["board.json"], type=Board) == shown.board
    assert hashlib.sha256(files["board.json"]).hexdigest() == board_digest(shown.board)


def test_several_boards_are_listed_on_the_front_page() -> None:
    one = a_shown_board(some_systems(), title="Spring")
    other = a_shown_board([a_gate("b", release_digest=digest_of("autumn"))], title="Autumn")

    files = render_site([one, other])

    links = set(pages_of(files)["index.html"].addresses("a"))
    assert {f"{one.board_id}.html", f"{other.board_id}.html"} <= links
    index = msgspec.json.decode(files["boards.json"], type=SiteIndex)
    assert [(each.title, each.rows) for each in index.boards] == [("Spring", 11), ("Autumn", 1)]
    assert index.number == 6


def test_without_a_board_the_page_says_so() -> None:
    files = render_site([])

    assert "No result has been published yet" in files["index.html"].decode()
    assert "尚未发布" in files["zh/index.html"].decode()


def test_a_board_without_rows_says_so() -> None:
    assert "No result stands on this board" in render_site([a_shown_board([])])["index.html"].decode()


def test_the_same_boards_give_the_same_bytes() -> None:
    assert render_site([a_shown_board(some_systems())], around()) == render_site(
        [a_shown_board(some_systems())], around()
    )


@pytest.mark.parametrize("several", [False, True])
def test_every_link_leads_to_a_file_of_the_site(several: bool) -> None:
    boards = [a_shown_board(some_systems())]
    if several:
        boards.append(a_shown_board([a_gate("b", release_digest=digest_of("autumn"))]))
    files = render_site(boards, around())
    pages = pages_of(files)
    assert {"cycles/index.html", "zh/cycles/2026-2.html"} <= pages.keys()

    checked = 0
    for address, page in pages.items():
        for tag, attribute in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
            for link in page.addresses(tag, attribute):
                if link.startswith("https://"):
                    assert link == "https://git.example/a"
                    continue
                target, _, fragment = link.partition("#")
                path = resolved(address, target) if target else address
                assert path in files, f"{address} links to {target}"
                if fragment:
                    assert fragment in {attrs.get("id") for _, attrs in pages[path].tags}, f"{address}: #{fragment}"
                checked += 1
    assert checked > 200


def resolved(page: str, link: str) -> str:
    parts: list[str] = []
    for part in (PurePosixPath(page).parent / link).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_no_page_needs_an_inline_script_a_style_attribute_or_another_host() -> None:
    for address, page in pages_of(render_site([a_shown_board(some_systems())], around())).items():
        policy = [each for each in page.all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
        assert policy[0]["content"] is not None
        assert "unsafe" not in policy[0]["content"]
        assert all(each.get("src") for each in page.all("script")), address
        assert not page.all("style")
        for _, attributes in page.tags:
            assert "style" not in attributes
            assert not any(name.startswith("on") for name in attributes)
        loaded = [*page.all("script"), *page.all("img"), *page.all("link")]
        assert not any("//" in (each.get("src") or each.get("href") or "") for each in loaded)


def test_tables_have_captions_scopes_and_one_anchor_a_row() -> None:
    pages = pages_of(render_site([a_shown_board(some_systems())], around()))
    for each in pages.values():
        assert len(each.all("caption")) == len(each.all("table"))
        assert all(head.get("scope") in {"col", "row", "rowgroup"} for head in each.all("th"))
    page = pages["index.html"]

    assert len([each for each in page.all("table") if "data-board" in each]) == 3
    assert [each["data-col"] for each in page.all("th") if "aria-sort" in each] == ["rank"] * 3
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert sum((each or "").startswith("row-") for each in ids) == 11


@pytest.mark.parametrize(("comparable", "warned"), [(False, True), (True, False)])
def test_a_release_that_is_not_comparable_says_so(comparable: bool, warned: bool) -> None:
    files = render_site([a_shown_board([a_gate()], comparable=comparable)])

    for address in ("index.html", "systems/job-1.html"):
        assert ("Not comparable" in files[address].decode()) is warned


@pytest.mark.parametrize("private", [True, False])
def test_private_addresses_are_told(private: bool) -> None:
    files = render_site([a_shown_board([a_gate(allow_private=private)])])

    assert ("Private addresses were allowed" in files["index.html"].decode()) is private


def test_a_row_shows_score_interval_denominator_and_entry() -> None:
    log = SignedLog()
    log.fill(41)
    gate = a_gate(result=a_result(712_345, planned=120, p95=6_400))

    text = html.unescape(render_site([a_shown_board([gate], log=log)])["index.html"].decode())

    for expected in ("71.2", "± 6.0", "120 of 120 scored", "120 / 120", "6.4 ms", "Passed · entry 41", "2026-03-01"):
        assert expected in text


def test_both_languages_link_to_each_other() -> None:
    pages = pages_of(render_site([a_shown_board([a_gate()])]))

    assert pages["index.html"].all("html") == [{"lang": "en"}]
    assert pages["zh/index.html"].all("html") == [{"lang": "zh-Hans"}]
    links = pages["systems/job-1.html"].addresses("a")
    assert "zh/systems/job-1.html" in {resolved("systems/job-1.html", link) for link in links}


@pytest.mark.skipif(not NAUGHTY.exists(), reason="the list of naughty strings is not there")
def test_naughty_names_are_shown_and_do_nothing() -> None:
    names = [name for name in json.loads(NAUGHTY.read_text("utf-8")) if name and _is_text(name)]
    chunks = [" ".join(names[start : start + 12]) for start in range(0, len(names), 12)]
    gates = [a_gate(f"j{place}", system=chunk, version=chunk) for place, chunk in enumerate(chunks)]

    page = pages_of(render_site([a_shown_board(gates)]))["index.html"]

    two, three = (
        Page(render_site([a_shown_board([a_gate(f"j{n}") for n in range(rows)])])["index.html"].decode())
        for rows in (2, 3)
    )
    for tag in ("script", "img", "iframe", "a", "object", "embed", "input", "tr", "td", "th"):
        each_row = len(three.all(tag)) - len(two.all(tag))
        assert len(page.all(tag)) == len(two.all(tag)) + each_row * (len(chunks) - 2), tag
    text = " ".join(page.text)
    assert len(names) > 400
    for name in names:
        assert _as_parsed(name) in text


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_parsed(name: str) -> str:
    return Page(html.escape(name)).text[0] if name else name


def test_the_offered_script_accepts_a_proof_file_and_refuses_a_changed_one(tmp_path: Path) -> None:
    log = SignedLog()
    log.fill(29)
    files = render_site([a_shown_board([a_gate("a"), a_gate("b")], log=log)])
    script, proof = tmp_path / "check_proof.py", tmp_path / "a.json"
    script.write_bytes(files["proofs/check_proof.py"])

    def check(data: bytes) -> int:
        proof.write_bytes(data)
        return subprocess.run([sys.executable, "-I", script, proof], capture_output=True, check=False).returncode

    good = files["proofs/a.json"]
    assert check(good) == 0
    assert check(good.replace(b"700000", b"900000")) == 1
    changed = json.loads(good)
    changed["checkpoint"] = changed["checkpoint"].replace(
        base64.b64encode(bytes.fromhex(changed["log"]["root"])).decode(), base64.b64encode(bytes(32)).decode()
    )
    assert check(json.dumps(changed).encode()) == 1


def test_fifty_systems_render_quickly() -> None:
    gates = [
        a_gate(f"j{n}", system=f"System {n}", result=a_result(990_000 - n * 10_000, p95=1_000 + n * 977))
        for n in range(50)
    ]
    shown = a_shown_board(gates)
    render_site([shown])

    started = time.process_time()
    files = render_site([shown])
    spent = time.process_time() - started

    assert spent < 1.0
    assert len(re.findall(rb'id="row-', files["index.html"])) == 50


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_a_row_shows_the_commands_that_verify_it_and_the_numbers_to_compare(folder: str) -> None:
    log = SignedLog()
    log.fill(29)
    shown = a_shown_board([a_gate("a")], log=log)
    files = render_site([shown])
    page = files[f"{folder}systems/a.html"].decode()
    for command in (
        "python3 check_proof.py a.json",
        "aml audit verify aml-audit-a.zip --key FILE",
        "python3 -m aml.rules.verify aml-audit-a.zip FILE",
    ):
        assert f"{command}" in page
    position = shown.board.rows[0].log
    assert position.leaf in page
    assert position.root in page
    board = files[f"{folder}index.html"].decode()
    assert "aml audit verify aml-audit-board.zip --key FILE" in board
    assert position.root in board
    assert 'href="systems/a.html#verify"' in board


def test_a_passed_check_that_has_something_to_say_shows_it() -> None:
    gate = a_gate("a")
    told = replace(gate, checks=(replace(gate.checks[0], code="near_duplicate"), *gate.checks[1:]))
    page = render_site([a_shown_board([told])])["systems/a.html"].decode()
    assert page.count("<code>near_duplicate</code>") == 1
    assert "<code>ok</code>" not in page
