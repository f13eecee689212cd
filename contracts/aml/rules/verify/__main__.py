"""`python -m aml.rules.verify BUNDLE KEY`: the second way in, with the standard library, msgspec and cryptography alone.

The only file of the rules that opens files and writes to the terminal.

0  verified
1  refused: the bundle does not show what it says
2  nothing to verify: a missing or unreadable file, a wrong key file, an archive that is no bundle
"""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from aml.rules.bundle_archive import ArchiveInvalid, BundleArchive
from aml.rules.checkpoint import NoteInvalid

from .bundle import verify_bundle
from .findings import BundleUnusable
from .head import parse_keys
from .report_lines import report_lines

VERIFIED, REFUSED, UNUSABLE = 0, 1, 2
_KEY_BYTES = 10_000
_TEXT_BYTES = 1_000_000


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m aml.rules.verify", description="Verify an audit bundle offline.")
    parser.add_argument("bundle", type=Path, help="the archive that `aml audit export` wrote")
    parser.add_argument(
        "key", type=Path, help="a file with the log's verifier key (one a line), from somewhere else than the bundle"
    )
    parser.add_argument("--previous", type=Path, help="a checkpoint of this log that you kept")
    parser.add_argument("--policy", type=Path, help="your own tlog-policy; without it, the bundle's")
    options = parser.parse_args(arguments)
    try:
        keys = parse_keys(_read_text(options.key, _KEY_BYTES))
        previous = None if options.previous is None else _read_text(options.previous, _TEXT_BYTES)
        policy = None if options.policy is None else _read_text(options.policy, _TEXT_BYTES)
        with options.bundle.open("rb") as file:
            report = verify_bundle(
                BundleArchive(file), keys, previous=previous, policy=policy, now_s=int(datetime.now(UTC).timestamp())
            )
    except OSError as error:
        return _unusable(f"{error.filename}: {error.strerror}")
    except (ArchiveInvalid, BundleUnusable) as error:
        return _unusable(f"{options.bundle}: {error.problem} [{error.code}]")
    except NoteInvalid as error:
        return _unusable(f"{options.key} is no verifier key: {error.problem}")
    for line in report_lines(report):
        sys.stdout.write(f"{line}\n")
    return VERIFIED if report.verified else REFUSED


def _read_text(path: Path, limit: int) -> str:
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise BundleUnusable("file_too_large", f"{path.name} is larger than a file of its kind can be")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise NoteInvalid("it is not text") from None


def _unusable(line: str) -> int:
    sys.stderr.write(f"verify: {line}\n")
    return UNUSABLE


if __name__ == "__main__":
    sys.exit(main())
