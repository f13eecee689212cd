"""The lock files hold what pyproject.toml asks for, pinned and hashed."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.architecture.source_tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NAME = canonicalize_name(PROJECT["project"]["name"])
PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(\[[\w,-]+\])?==(?P<version>\S+)(?: ; [^\\\n]+)? \\\n"
    r"(?P<hashes>(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)
LOCKS = {"requirements.lock": "dev", "requirements.services.lock": "image"}
locks = pytest.mark.parametrize("lock", LOCKS)


def pins(lock: str) -> dict[str, str]:
    text = (ROOT / lock).read_text("utf-8")
    return {canonicalize_name(match["name"]): match["version"] for match in PIN.finditer(text)}


def asked_for(extra: str | None) -> list[Requirement]:
    """What the extra needs, extras of ourselves followed."""
    project = PROJECT["project"]
    found = []
    for line in project["optional-dependencies"][extra] if extra else project["dependencies"]:
        requirement = Requirement(line)
        if canonicalize_name(requirement.name) == NAME:
            for inner in requirement.extras:
                found += asked_for(inner)
        else:
            found.append(requirement)
    return found


@locks
def test_every_requirement_is_pinned_to_a_version_that_it_allows(lock: str) -> None:
    found = pins(lock)
    for requirement in asked_for(None) + asked_for(LOCKS[lock]):
        name = canonicalize_name(requirement.name)
        assert name in found, f"{name} is not in {lock}: run `make lock`"
        assert requirement.specifier.contains(found[name], prereleases=True), f"{name} {found[name]}: run `make lock`"


@locks
def test_every_line_is_a_pin_with_hashes_or_a_comment(lock: str) -> None:
    text = PIN.sub("", (ROOT / lock).read_text("utf-8"))
    assert [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")] == []
    assert pins(lock)


def test_the_image_gets_the_versions_that_are_tested() -> None:
    assert pins("requirements.services.lock").items() <= pins("requirements.lock").items()


def test_what_builds_the_distribution_is_pinned_too() -> None:
    for line in PROJECT["build-system"]["requires"]:
        for lock in LOCKS:
            assert Requirement(line).name in pins(lock)
