"""The file format `practice.v1`: our own samples as they are, one JSON value a line.

The first line is the header `{"format":"practice.v1","samples":N}`; each of the following N lines is one `Sample` in the
field order of `aml.contracts.benchmark`, UTF-8 without escapes, without blanks, ending in a line feed. The same samples are
the same bytes. The count in the header makes a file that was cut between two lines as visible as one cut within a line.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from aml.contracts.benchmark import Sample
from aml.ingest.benchmarks.errors import BundleError
from aml.ingest.benchmarks.json_records import decode_record, open_bundle

FORMAT: Final = "practice.v1"


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: Literal["practice.v1"]
    samples: int


_HEADER = msgspec.json.Decoder(Header)
_SAMPLE = msgspec.json.Decoder(Sample)


def encode_practice(samples: Sequence[Sample]) -> bytes:
    header = Header(format=FORMAT, samples=len(samples))
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *samples))


def read_practice(path: Path) -> Iterator[Sample]:
    """Raises `BundleError` naming file, record and field."""
    with open_bundle(path) as file:
        header = decode_record(path, "header", file.readline(), _HEADER)
        number = 0
        for line in file:
            number += 1
            record = f"record {number}"
            if number > header.samples:
                raise BundleError(path, record, None, f"is beyond the {header.samples} samples of the header")
            if not line.endswith(b"\n"):
                raise BundleError(path, record, None, "is cut off: the line has no end")
            yield decode_record(path, record, line, _SAMPLE)
    if number < header.samples:
        raise BundleError(path, None, "samples", f"the file ends after {number} of {header.samples} samples")
