"""`aml` as a process: what a user types and sees."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AML = (sys.executable, "-c", "from aml.toolkit.cli.app import main; main()")


def aml(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*AML, *arguments], capture_output=True, text=True, timeout=60, env=os.environ | environ, check=False
    )


def test_version() -> None:
    ran = aml("--version")

    assert ran.returncode == 0
    assert ran.stdout.startswith("aml 0.")


def test_status_of_nothing_says_how_to_start(tmp_path: Path) -> None:
    text, data = aml("status", "--home", str(tmp_path)), aml("status", "--json", AML_HOME=str(tmp_path))

    assert text.returncode == data.returncode == 1
    assert "start it with `aml up`" in text.stdout
    found = json.loads(data.stdout)
    assert (found["running"], found["ready"], found["portal"], found["processes"]) == (False, False, None, {})
    assert found["home"] == str(tmp_path)


def test_down_of_nothing_is_no_error(tmp_path: Path) -> None:
    ran = aml("down", "--home", str(tmp_path / "absent"))

    assert ran.returncode == 0
    assert "nothing runs in" in ran.stdout
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("arguments", [("up", "--nope"), ("nope",), ("status", "surplus")])
def test_bad_usage_is_one_line_and_code_2(arguments: tuple[str, ...]) -> None:
    ran = aml(*arguments)

    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1
    assert ran.stderr.startswith("aml: ")


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    for detach in ([], ["--detach"]):
        ran = aml("up", *detach, "--home", str(tmp_path / "home"), AML_POSTGRES="mysql")

        assert ran.returncode == 2
        assert ran.stderr.startswith("aml: AML_POSTGRES has an unusable value")


def test_a_home_that_is_a_file_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")

    for command in ("up", "status", "down"):
        ran = aml(command, "--home", str(tmp_path / "home"))

        assert ran.returncode == 2
        assert "Traceback" not in ran.stderr
        assert len(ran.stderr.splitlines()) == 1
