"""How fast a log is exported and verified again: 100,000 entries of finished jobs.

`measure`: packing and verifying alone, and the verifier's memory. `measure_export`: `aml audit export` as a process, from a
ledger's reading interface over a real Postgres, which shares the cores with it.
"""

import asyncio
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.factories.audited_logs import AuditedLog, release_folder, under
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.events import encode_event
from aml.contracts.release import ReleaseLocked
from aml.ledger.append_batch import StreamMessage
from aml.ledger.database import migrate, open_pool
from aml.ledger.log_store import FolderLogStore
from aml.ledger.read_api import LogReader
from aml.ledger.sequencer import Sequencer
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.ledger.tile_writer import TileWriter
from aml.rules.bundle_archive import ArchiveWriter
from aml.rules.checkpoint import open_checkpoint
from aml.rules.entry import read_entry
from aml.rules.identity import subject_of
from aml.runtime.clock import SystemClock
from aml.runtime.serve import http_server
from aml.runtime.settings import DatabaseSettings, HttpSettings
from aml.toolkit.audit.bundle_members import Beside, EntryPages, manifest_member, members_beside
from aml.toolkit.audit.entry_choice import EntryChoice
from aml.toolkit.local import start_infra
from aml.toolkit.local.ports import choose_ports

_JOBS = 8
_QUESTIONS = 3_120
"""Of each job: about 100,000 entries together."""
_VERIFIER = """
import sys
from pathlib import Path
from aml.rules.verify.__main__ import main
code = main()
status = Path("/proc/self/status").read_text()  # rusage would count what this process was before it became this one
print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
sys.exit(code)
"""


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder))


def a_long_log(jobs: int = _JOBS, questions: int = _QUESTIONS) -> AuditedLog:
    log = AuditedLog(folder=release_folder(questions))
    log.append(an_event(ReleaseLocked, release_digest=log.digest))
    for number in range(jobs):
        job_id = f"job-{number}"
        for event in a_job(
            job_id, questions=questions, chunks=10, version_id=f"version-{number}", key_id=f"key-{number}"
        ):
            log.append(under(log, event))
        log.finish(job_id)
    log.openings.clear()
    return log


def _measure(folder: Path) -> dict[str, Any]:
    log = a_long_log()
    file, key = folder / "bundle.zip", folder / "key"
    key.write_text(f"{log.key}\n")
    exported = _export(log, file)
    before = _children_cpu()
    verified, peak = _run(file, key)
    verifier_cpu = _children_cpu() - before
    bundle_mb = file.stat().st_size / 1e6
    one_job = a_long_log(jobs=1, questions=_JOBS * _QUESTIONS)
    _export(one_job, file)
    one_job_verified, one_job_peak = _run(file, key)
    file.write_bytes(b"")
    start, _ = _run(file, key, expected=2)
    size = len(log.bodies)
    return {
        "entries": size,
        "bundle_mb": bundle_mb,
        "export_entries_per_s": size / exported,
        "verify_entries_per_s": size / (verified - start),
        "verify_entries_per_s_with_start": size / verified,
        "verifier_cpu_us_per_entry": 1e6 * verifier_cpu / size,
        "verify_one_job_entries_per_s": len(one_job.bodies) / (one_job_verified - start),
        "verify_peak_mb": peak,
        "verify_one_job_peak_mb": one_job_peak,
    }


def _export(log: AuditedLog, file: Path) -> float:
    """Seconds."""
    note = log.note()
    began = time.perf_counter()
    with file.open("wb") as out, ArchiveWriter(out) as archive:
        archive.add_all(_members(log, note))
    return time.perf_counter() - began


def _run(file: Path, key: Path, expected: int = 0) -> tuple[float, float]:
    """Seconds of a whole verifier process, and the most memory that it held, in MB."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _VERIFIER, str(file), str(key)], check=False, capture_output=True)
    seconds = time.perf_counter() - began
    assert done.returncode == expected, done.stdout + done.stderr
    return seconds, float(done.stderr.split()[-1]) / 1024


def measure_export() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        infra = start_infra(Path(folder) / "infra")
        try:
            return asyncio.run(_measure_export(infra.database_url_with_password, Path(folder)))
        finally:
            infra.stop(remove=True)


async def _measure_export(database_url: str, folder: Path) -> dict[str, Any]:
    log, clock = a_long_log(), SystemClock()
    release = folder / "releases" / log.release.release_id
    release.mkdir(parents=True)
    for name, data in log.folder.items():
        (release / name).write_bytes(data)
    signer = Signer.from_file(folder / "signer.key", log.origin)
    pool = open_pool(DatabaseSettings(url=database_url))
    await pool.open()
    async with pool.connection() as connection:
        await migrate(connection)
    sequencer = Sequencer(pool, clock, on_closable=lambda: None)
    events = [read_entry(body).event for body in log.bodies]
    messages = [StreamMessage(n, subject_of(event), encode_event(event)) for n, event in enumerate(events, 1)]
    for at in range(0, len(messages), 1024):
        await sequencer.append(messages[at : at + 1024])
    await sign_head(pool, signer, TileWriter(FolderLogStore(folder / "public"), log.origin), clock)
    port = choose_ports(["ledger"], {}, random.Random())["ledger"]
    async with http_server(HttpSettings(port=port), LogReader(pool, signer).routes()):
        began, used, exporting = time.perf_counter(), time.process_time(), _children_cpu()
        done = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from aml.toolkit.cli.app import main; main()", "audit", "export", "--cycle"),
            *("--url", f"http://127.0.0.1:{port}", "--releases", str(folder / "releases")),
            *("--out", str(folder / "bundle.zip"), "--key", str(folder / "signer.key.pub")),
            stdout=subprocess.DEVNULL,
        )
        assert await done.wait() == 0
        seconds = time.perf_counter() - began
        ledger_cpu, exporter_cpu = time.process_time() - used, _children_cpu() - exporting
    await pool.close()
    _run(folder / "bundle.zip", folder / "signer.key.pub")
    return {
        "export_from_ledger_entries_per_s_with_start": len(messages) / seconds,
        "exporter_cpu_us_per_entry": 1e6 * exporter_cpu / len(messages),
        "ledger_cpu_us_per_entry": 1e6 * ledger_cpu / len(messages),
    }


def _children_cpu() -> float:
    """Seconds of the children that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _members(log: AuditedLog, note: str) -> Any:
    """What the exporter does once an entry has arrived; fetching it is the ledger's time."""
    pages = EntryPages("cycle", EntryChoice(None))
    for body in log.bodies:
        yield from pages.take(body)
    yield from pages.rest()
    checkpoint = open_checkpoint(note, log.key)
    yield from members_beside(pages, checkpoint, Beside(note=note, releases={log.digest: log.folder}))
    yield manifest_member(scope="cycle", checkpoint=checkpoint, held=pages.held, jobs=(), opened=())


if __name__ == "__main__":
    print(measure() | measure_export())
