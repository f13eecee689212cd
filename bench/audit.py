"""How fast a log is exported, and verified again: 100,000 entries of finished jobs, in memory, then as a file."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.factories.audited_logs import AuditedLog, release_folder, under
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.release import ReleaseLocked
from aml.rules.bundle_archive import ArchiveWriter
from aml.rules.checkpoint import open_checkpoint
from aml.toolkit.audit.bundle_members import Beside, EntryPages, manifest_member, members_beside
from aml.toolkit.audit.entry_choice import EntryChoice

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
    verified, peak = _run(file, key)
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
    print(measure())
