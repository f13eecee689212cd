"""A release's folder as one digest, and its manifest as a shape: the same for the services and for an auditor."""

import hashlib
import tomllib
from collections.abc import Mapping

import msgspec

from aml.contracts.release import Release

MANIFEST = "release.toml"
_DIGEST_TAG = b"aml.release.folder.v1\x00"


class ManifestInvalid(Exception):
    """`release.toml` is no release; `problem` names the field where there is one."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def folder_digest(contents: Mapping[str, bytes]) -> str:
    """SHA-256 over every file in the order of its path; path and content each with its length before it."""
    hasher = hashlib.sha256(_DIGEST_TAG)
    for path in sorted(contents):
        name = path.encode()
        hasher.update(len(name).to_bytes(4, "big") + name)
        hasher.update(len(contents[path]).to_bytes(8, "big") + contents[path])
    return hasher.hexdigest()


def read_manifest(data: bytes) -> Release:
    """Raises `ManifestInvalid`."""
    try:
        return msgspec.convert(tomllib.loads(data.decode("utf-8")), Release)
    except UnicodeDecodeError as error:
        raise ManifestInvalid(f"is not UTF-8: {error.reason} at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise ManifestInvalid(f"is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise ManifestInvalid(str(error)) from None
