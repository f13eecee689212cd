"""The exporter against a ledger's reading interface that answers from memory."""

from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
import pytest
from tests.factories.audited_logs import BOARD_ID, AuditedLog, a_published_log

from aml.rules.bundle_archive import BundleArchive
from aml.rules.verify import verify_bundle
from aml.toolkit.audit import export as exporting
from aml.toolkit.audit.errors import LogDiffers, NothingToExport, ReleaseAbsent, SourceUnreadable
from aml.toolkit.audit.export import Exported, ExportPlan, export
from aml.toolkit.audit.log_source import LogSource

URL = "http://ledger.example"
Answer = Callable[[httpx.Request], httpx.Response]


def a_ledger(log: AuditedLog, *, root: str = "/log", note: str | None = None) -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path == f"{root}/verifier":
            return httpx.Response(200, text=f"{log.key}\n")
        if path == f"{root}/checkpoint":
            return httpx.Response(200, text=note or log.note())
        if path == f"{root}/entries":
            start, count = int(request.url.params["start"]), int(request.url.params["count"])
            return httpx.Response(200, content=b"".join(body + b"\n" for body in log.bodies[start : start + count]))
        if path.startswith(f"{root}/jobs/"):
            chain = log.jobs.get(path.rpartition("/")[2])
            if chain is not None:
                return httpx.Response(200, content=b"".join(log.bodies[each.index] + b"\n" for each in chain))
        if path == "/board/boards.json" and log.boards:
            return httpx.Response(200, json={"boards": [{"board_id": BOARD_ID, "title": "Practice"}]})
        if path == f"/board/{BOARD_ID}.json":
            return httpx.Response(200, content=log.boards[BOARD_ID])
        return httpx.Response(404, json={"detail": {"reason": "no such thing"}})

    return answer


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> AuditedLog:
    log = a_published_log()
    monkeypatch.setattr(exporting, "_contents", lambda release_id, extra: log.folder)
    return log


async def exported(answer: Answer, log: AuditedLog, plan: ExportPlan, file: Path) -> Exported:
    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    async with LogSource(URL, board_url=f"{URL}/board", http=http) as source:
        return await export(source, plan, log.keys, file)


@pytest.mark.parametrize("root", ["/log", "/api/v1/log"])
@pytest.mark.parametrize(
    ("plan", "boards"),
    [
        (ExportPlan(scope="cycle"), 1),
        (ExportPlan(scope="board"), 1),
        (ExportPlan(scope="job", jobs=("job-1",)), 0),
    ],
    ids=lambda value: getattr(value, "scope", ""),
)
async def test_what_is_exported_verifies(
    tmp_path: Path, log: AuditedLog, plan: ExportPlan, boards: int, root: str
) -> None:
    done = await exported(a_ledger(log, root=root), log, plan, tmp_path / "out.zip")
    with (tmp_path / "out.zip").open("rb") as file:
        archive = BundleArchive(file)
        report = verify_bundle(archive, log.keys)
        schemas = [name for name in archive if name.startswith("schemas/")]
    assert report.verified, report.refusals
    assert (done.size, done.bytes) == (len(log.bodies), (tmp_path / "out.zip").stat().st_size)
    assert (
        next(each for each in report.checks if each.name == "board").detail.startswith(f"{boards} rows") or not boards
    )
    assert "schemas/events/answer_scored.v1.json" in schemas
    assert [path.name for path in tmp_path.iterdir()] == ["out.zip"], "no draft stays"


async def test_two_exports_are_the_same_bytes(tmp_path: Path, log: AuditedLog) -> None:
    for name in ("one.zip", "two.zip"):
        await exported(a_ledger(log), log, ExportPlan(scope="cycle"), tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


async def refused(error: type[Exception], answer: Answer, log: AuditedLog, plan: ExportPlan, folder: Path) -> str:
    with pytest.raises(error) as refusal:
        await exported(answer, log, plan, folder / "out.zip")
    assert list(folder.iterdir()) == [], "nothing is written"
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


async def test_a_job_that_the_log_does_not_know(tmp_path: Path, log: AuditedLog) -> None:
    plan = ExportPlan(scope="job", jobs=("job-9",))
    assert "job-9" in await refused(NothingToExport, a_ledger(log), log, plan, tmp_path)


async def test_a_board_without_rows(tmp_path: Path, log: AuditedLog) -> None:
    log.boards.clear()
    await refused(NothingToExport, a_ledger(log), log, ExportPlan(scope="board"), tmp_path)


async def test_a_log_that_contradicts_its_checkpoint_is_not_exported(tmp_path: Path, log: AuditedLog) -> None:
    note = log.note()
    index = next(index for index, body in enumerate(log.bodies) if b'"attempts":1' in body)
    log.bodies[index] = log.bodies[index].replace(b'"attempts":1', b'"attempts":2')
    assert "another root" in await refused(
        LogDiffers, a_ledger(log, note=note), log, ExportPlan(scope="cycle"), tmp_path
    )


async def test_a_checkpoint_of_another_key(tmp_path: Path, log: AuditedLog) -> None:
    other = AuditedLog(origin="log.example/other", bodies=log.bodies)
    await refused(LogDiffers, a_ledger(log, note=other.note()), log, ExportPlan(scope="cycle"), tmp_path)


async def test_a_line_that_is_no_entry(tmp_path: Path, log: AuditedLog) -> None:
    note = log.note()
    log.bodies[3] = b"[]"
    assert "entry 3" in await refused(LogDiffers, a_ledger(log, note=note), log, ExportPlan(scope="cycle"), tmp_path)


async def test_a_release_that_is_not_here(tmp_path: Path, log: AuditedLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_contents", lambda release_id, extra: None)
    said = await refused(ReleaseAbsent, a_ledger(log), log, ExportPlan(scope="cycle"), tmp_path)
    assert "--releases" in said


async def test_a_site_that_is_no_ledger_and_one_that_is_away(tmp_path: Path, log: AuditedLog) -> None:
    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    for answer in (lambda request: httpx.Response(404), away):
        await refused(SourceUnreadable, answer, log, ExportPlan(scope="cycle"), tmp_path)


async def test_fewer_entries_than_the_checkpoint_promises(tmp_path: Path, log: AuditedLog) -> None:
    note = log.note()
    del log.bodies[-1]
    said = await refused(SourceUnreadable, a_ledger(log, note=note), log, ExportPlan(scope="cycle"), tmp_path)
    assert "26 entries of 27" in said


async def test_a_board_of_a_later_tree_is_left_out(tmp_path: Path, log: AuditedLog) -> None:
    """It was published between two questions of the exporter; the checkpoint that was read first stands."""
    earlier = log.note(len(log.bodies) - 2)
    await exported(a_ledger(log, note=earlier), log, ExportPlan(scope="cycle"), tmp_path / "out.zip")
    with (tmp_path / "out.zip").open("rb") as file:
        archive = BundleArchive(file)
        assert not any(name.startswith("boards/") for name in archive)
        assert verify_bundle(archive, log.keys).verified


def test_an_answer_that_lists_no_boards_is_no_board_at_all() -> None:
    with pytest.raises(SourceUnreadable):
        exporting._decoded(msgspec.json.encode({"rows": []}))
