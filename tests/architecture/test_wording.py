"""Nothing in the project depends on, or speaks of, the machine that it was written on."""

import re

import pytest
from tests.architecture.source_tree import shown, text_files

# Put together here, so that this file does not contain them.
HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("deb", "debian", "org"),
        ("crates", "io"),
    )
)
FOLDERS = tuple(f"/{name}/" for name in ("work", "root", "opt/wheels", "opt/pypi"))
WORDS = re.compile("|".join([*map(re.escape, HOSTS), *(rf"(?<![\w.$}}>)/-]){folder}" for folder in FOLDERS)]))


def test_no_registry_host_and_no_folder_of_this_machine_is_named() -> None:
    found = []
    for path in text_files():
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
            if match := WORDS.search(line):
                found.append(f"{shown(path)}:{number}: {match.group()}")
    assert found == []


@pytest.mark.parametrize(
    "text", ["see https://" + HOSTS[0] + "/simple", "cd " + FOLDERS[0] + "x", '"' + FOLDERS[1] + 'y"']
)
def test_a_mention_is_found(text: str) -> None:
    assert WORDS.search(text)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements.services.lock"])
def test_a_lock_file_has_hashes_and_no_other_option_and_no_address(name: str) -> None:
    lock = next(path for path in text_files() if path.name == name).read_text("utf-8")
    assert "--hash=sha256:" in lock
    assert not re.search(r"^\s*-(?!-hash=sha256:)|://| @ ", lock, re.MULTILINE)
