"""What a database may do to the signer: everything that is not growth is refused, with its own reason, and not published."""

from pathlib import Path

import pytest
from tests.factories.cosigners import a_note
from tests.factories.paper_ledger import MISSING, ORIGIN, PaperLedger, frontier_of

from aml.ledger.disk import Disk
from aml.ledger.errors import LogForked, LogStoreForeign, LogWentBack
from aml.rules.checkpoint import open_checkpoint
from aml.rules.merkle import leaf_hash


@pytest.fixture
async def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PaperLedger:
    """300 entries, published; then 20 more, unsigned."""
    ledger = PaperLedger(tmp_path, monkeypatch, Disk())
    ledger.append(300)
    await ledger.sign()
    ledger.append(20)
    return ledger


def is_as_before(ledger: PaperLedger) -> bool:
    shown = ledger.published()
    return shown is not None and shown.size == 300 and max(ledger.rows.checkpoints) == 300


async def test_what_grew_is_signed_and_published(ledger: PaperLedger) -> None:
    assert await ledger.sign() == 320
    shown = ledger.published()
    assert shown is not None
    assert (shown.size, shown.root) == (320, frontier_of(ledger.rows.bodies).root())


async def test_the_same_head_is_not_signed_twice(ledger: PaperLedger) -> None:
    await ledger.sign()
    before = (ledger.public / "checkpoint").stat().st_mtime_ns
    assert await ledger.sign() == 320
    assert (ledger.public / "checkpoint").stat().st_mtime_ns == before


async def test_an_edited_row(ledger: PaperLedger) -> None:
    ledger.rows.head = frontier_of(ledger.rows.bodies)
    ledger.rows.bodies[307] = b"edited"
    with pytest.raises(LogForked, match="its rows give another root than the sequencer's"):
        await ledger.sign()
    assert is_as_before(ledger)


async def test_a_payload_swapped_under_an_intact_leaf(ledger: PaperLedger) -> None:
    ledger.rows.leaves[307] = leaf_hash(ledger.rows.bodies[307])
    ledger.rows.bodies[307] = b"swapped"
    with pytest.raises(LogForked, match="entry 307 does not hash to the leaf beside it") as refused:
        await ledger.sign()
    assert refused.value.index == 307
    assert is_as_before(ledger)


async def test_a_row_taken_from_the_middle(ledger: PaperLedger) -> None:
    ledger.rows.head = frontier_of(ledger.rows.bodies)
    ledger.rows.bodies[307] = MISSING
    with pytest.raises(LogForked, match="entry 307 is missing") as refused:
        await ledger.sign()
    assert refused.value.index == 307
    assert is_as_before(ledger)


async def test_an_edited_row_that_was_signed_already_when_the_signer_forgot(ledger: PaperLedger) -> None:
    (ledger.folder / "log.key.state").unlink()
    ledger.rows.bodies[299] = b"edited"
    with pytest.raises(LogForked, match="another root than the published checkpoint"):
        await ledger.sign()
    assert is_as_before(ledger)


async def test_a_row_taken_from_the_end(ledger: PaperLedger) -> None:
    del ledger.rows.bodies[299:]
    with pytest.raises(LogWentBack, match="holds 299 entries, but 300 were signed"):
        await ledger.sign()
    assert is_as_before(ledger)


@pytest.mark.parametrize("forgotten", ["nothing", "the signer's memory"])
async def test_an_older_database(ledger: PaperLedger, forgotten: str) -> None:
    """Its checkpoints are older, too. The public store remembers where the signer does not."""
    await ledger.sign()
    del ledger.rows.bodies[310:]
    del ledger.rows.checkpoints[320]
    if forgotten != "nothing":
        (ledger.folder / "log.key.state").unlink()
    ledger.restart()
    with pytest.raises(LogWentBack, match="but 320 were signed"):
        await ledger.sign()
    shown = ledger.published()
    assert shown is not None
    assert shown.size == 320


@pytest.mark.parametrize("forgotten", ["nothing", "the signer's memory"])
async def test_an_older_database_that_grew_otherwise(ledger: PaperLedger, forgotten: str) -> None:
    await ledger.sign()
    del ledger.rows.bodies[310:]
    del ledger.rows.checkpoints[320]
    ledger.append(30, b"otherwise")
    if forgotten != "nothing":
        (ledger.folder / "log.key.state").unlink()
    ledger.restart()
    with pytest.raises(LogForked, match=r"another root than the sequencer's|the tiles .* give another root"):
        await ledger.sign()
    shown = ledger.published()
    assert shown is not None
    assert shown.size == 320


async def test_a_lost_public_folder_is_made_again(ledger: PaperLedger) -> None:
    await ledger.sign()
    Disk().remove_folder(ledger.public)
    ledger.restart()
    await ledger.sign()
    shown = ledger.published()
    assert shown is not None
    assert shown.size == 320


@pytest.mark.parametrize("path", ["tile/0/001.p/44", "tile/entries/001.p/44", "tile/1/000.p/1"])
@pytest.mark.parametrize("damage", ["gone", "wrong"])
async def test_damaged_tiles_at_the_edge_are_made_again(ledger: PaperLedger, path: str, damage: str) -> None:
    file = ledger.public / path
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(bytes(len(file.read_bytes())))
    ledger.restart()
    await ledger.sign()
    shown = ledger.published()
    assert shown is not None
    assert shown.size == 320


async def test_a_store_that_holds_another_log_is_left_alone(ledger: PaperLedger) -> None:
    file = ledger.public / "checkpoint"
    other = file.read_text().replace(ORIGIN, "other.example.org")
    file.write_text(other)
    ledger.restart()
    with pytest.raises(LogStoreForeign, match=r"holds the log other\.example\.org"):
        await ledger.sign()
    file.write_text("rubbish")
    with pytest.raises(LogStoreForeign, match="cannot be read"):
        await ledger.sign()


async def test_a_checkpoint_is_kept_as_it_was_published(ledger: PaperLedger) -> None:
    await ledger.sign()
    for size, row in ledger.rows.checkpoints.items():
        assert open_checkpoint(row.note, ledger.signer.key).size == size
    assert sorted(ledger.rows.checkpoints) == [300, 320]


async def test_an_old_valid_checkpoint_put_back_into_the_store_is_replaced(ledger: PaperLedger) -> None:
    old = (ledger.public / "checkpoint").read_bytes()
    ledger.append(500)
    await ledger.sign()
    (ledger.public / "checkpoint").write_bytes(old)
    ledger.restart()
    await ledger.sign()
    shown = ledger.published()
    assert shown is not None
    assert shown.size == 820


async def test_a_forged_root_in_the_store_is_not_built_upon(ledger: PaperLedger) -> None:
    """It carries the log's name; no tile bears it out, so all tiles are made again from the entries."""
    file = ledger.public / "checkpoint"
    file.write_text(a_note(300, bytes(32), origin=ORIGIN, secret="thief"))
    ledger.restart()
    await ledger.sign()
    shown = ledger.published()
    assert shown is not None
    assert (shown.size, shown.root) == (320, frontier_of(ledger.rows.bodies).root())
