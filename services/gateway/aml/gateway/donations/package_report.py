"""What is known of a package once it was read to its end, and what a package must keep to."""

from typing import Literal

from msgspec import Struct

MIB = 1024 * 1024

DataFormat = Literal["jsonl", "json", "csv"]
PackageFormat = Literal["jsonl", "json", "csv", "zip"]

DATA_SUFFIXES: dict[str, DataFormat] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv"}


class PackageRefused(Exception):
    """`problem` is one line for the donor. It repeats nothing of the content but the names of members."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class PackageLimits(Struct, frozen=True, kw_only=True):
    """Sizes in bytes. They bound what a reviewer's machine meets later, and what reading costs here."""

    members: int = 1000
    name_chars: int = 200
    member_bytes: int = 128 * MIB
    """One member, inflated."""
    total_bytes: int = 256 * MIB
    """All members, inflated."""
    ratio: int = 200
    """Inflated over stored, once `ratio_from` bytes came out. Text of a dataset compresses 3 to 15 times."""
    ratio_from: int = MIB
    line_chars: int = 4 * MIB
    json_depth: int = 100


class DataReport(Struct, frozen=True, kw_only=True):
    format: DataFormat
    rows: int | None
    """Lines, items of the outer array, or records below the header; None for a JSON object."""
    fields: tuple[str, ...]
    """The names that the first rows have, at most 50; untrusted."""


class MemberReport(Struct, frozen=True, kw_only=True):
    name: str
    bytes: int
    data: DataReport | None


class PackageReport(Struct, frozen=True, kw_only=True):
    format: PackageFormat
    content_bytes: int
    """All of its content, inflated."""
    members: tuple[MemberReport, ...]
    """The package itself is the only member of one that is no zip."""
    missing: tuple[Literal["readme", "license", "schema", "data"], ...]
    """What a full package should hold and this one does not. Said to donor and reviewer, and no reason for a refusal."""
