"""`python -m aml.rules.verify`: three exit codes, one line for what is unusable, nothing written, few dependencies."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.factories.audited_logs import AuditedLog, a_published_log, write_bundle

from aml.rules.bundle_layout import MANIFEST
from aml.rules.verify.__main__ import main

LIGHT = """
import sys
sys.path[:0] = %r
ALLOWED = {"aml", "msgspec", "cryptography", "_cffi_backend", "cffi", "sitecustomize"} | set(sys.stdlib_module_names)
class OnlyThese:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in ALLOWED or name in ("aml.runtime", "aml.toolkit"):
            raise ModuleNotFoundError(f"{name} is not to be needed here")
sys.meta_path.insert(0, OnlyThese())
from aml.rules.verify.__main__ import main
sys.exit(main(%r))
"""


@pytest.fixture(scope="module")
def log() -> AuditedLog:
    return a_published_log()


@pytest.fixture
def key(tmp_path: Path, log: AuditedLog) -> Path:
    file = tmp_path / "key"
    file.write_text(f"{log.key}\n")
    return file


@pytest.fixture
def bundle(tmp_path: Path, log: AuditedLog) -> Path:
    return write_bundle(tmp_path / "bundle.zip", log.bundle())


def test_a_true_bundle(bundle: Path, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(bundle), str(key)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("verified: cycle bundle, 27 of 27 entries, job job-1")


def test_one_byte_edited(tmp_path: Path, log: AuditedLog, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    members = log.bundle()
    name = next(name for name in members if name.startswith("tile/entries"))
    members[name] = members[name].replace(b'"attempts":1', b'"attempts":2', 1)
    changed = write_bundle(tmp_path / "changed.zip", members)
    assert main([str(changed), str(key)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("refused [leaf_differs] entry ") for line in lines)
    assert lines[-1].startswith("NOT verified")


def test_an_older_checkpoint_and_a_policy_are_files(tmp_path: Path, log: AuditedLog, bundle: Path, key: Path) -> None:
    older, policy = tmp_path / "older", tmp_path / "policy"
    older.write_text(log.note(4))
    policy.write_text("quorum none\n")
    assert main([str(bundle), str(key), "--previous", str(older), "--policy", str(policy)]) == 0


def unusable(arguments: list[str], capsys: pytest.CaptureFixture[str], folder: Path) -> str:
    before = sorted(folder.iterdir())
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert sorted(folder.iterdir()) == before, "nothing is written"
    return captured.err


def test_another_versions_bundle(
    tmp_path: Path, log: AuditedLog, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members = log.bundle()
    manifest = msgspec.json.decode(members[MANIFEST])
    newer = write_bundle(
        tmp_path / "newer.zip", members | {MANIFEST: msgspec.json.encode(manifest | {"type": "aml_bundle.v2"})}
    )
    assert "aml_bundle.v2" in unusable([str(newer), str(key)], capsys, tmp_path)


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "not_a_bundle"),
        (b"[]", "not_a_bundle"),
        (b'{"type":"aml_bundle.v1","scope":"all"}', "manifest_malformed"),
    ],
)
def test_an_archive_that_is_no_bundle(
    tmp_path: Path, key: Path, manifest: bytes | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_bundle(tmp_path / "other.zip", {"readme": b"hello"} | ({MANIFEST: manifest} if manifest else {}))
    assert f"[{said}]" in unusable([str(other), str(key)], capsys, tmp_path)


def test_a_bundle_without_a_checkpoint(
    tmp_path: Path, log: AuditedLog, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members = {name: data for name, data in log.bundle().items() if name != "checkpoint"}
    path = write_bundle(tmp_path / "headless.zip", members)
    assert "[member_missing]" in unusable([str(path), str(key)], capsys, tmp_path)


def test_a_truncated_archive(tmp_path: Path, bundle: Path, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle.write_bytes(bundle.read_bytes()[:-400])
    assert "cut short" in unusable([str(bundle), str(key)], capsys, tmp_path)


@pytest.mark.parametrize("text", ["", "hello", "a+b+c", "\ud800"])
def test_a_wrong_key_file(tmp_path: Path, bundle: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert "is no verifier key" in unusable([str(bundle), str(wrong)], capsys, tmp_path)


def test_a_huge_key_file(tmp_path: Path, bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(bytes(20_000))
    assert "larger" in unusable([str(bundle), str(wrong)], capsys, tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in unusable([str(tmp_path / "absent.zip"), str(key)], capsys, tmp_path)


def test_msgspec_and_cryptography_are_enough(bundle: Path, key: Path) -> None:
    program = LIGHT % (sys.path, [str(bundle), str(key)])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
