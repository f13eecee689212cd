"""What a package is and holds, found by reading all of it. Nothing is extracted, nothing is kept in memory."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Literal

from .member_names import shown
from .package_report import (
    DATA_SUFFIXES,
    DataFormat,
    DataReport,
    MemberReport,
    PackageFormat,
    PackageLimits,
    PackageRefused,
    PackageReport,
)
from .text_checks import check_data
from .zip_members import Budget, inflate, read_directory

FORMATS: Final[dict[str, PackageFormat]] = {**DATA_SUFFIXES, ".zip": "zip"}
_PIECE: Final = 64 * 1024
_ZIP_MARKS: Final = (b"PK\x03\x04", b"PK\x05\x06")

Missing = Literal["readme", "license", "schema", "data"]


def declared_format(filename: str) -> PackageFormat | None:
    """By the name's suffix; None for one that is not taken."""
    return FORMATS.get(PurePosixPath(filename).suffix.lower())


def inspect_package(path: Path, filename: str, limits: PackageLimits) -> PackageReport:
    """Raises `PackageRefused` for content that is not what `filename` says, or that nobody should have to open."""
    declared = declared_format(filename)
    if declared is None:
        raise PackageRefused(f"has none of the suffixes {', '.join(FORMATS)}")
    size = path.stat().st_size
    with path.open("rb") as file:
        looks_like_zip = file.read(4) in _ZIP_MARKS
        file.seek(0)
        if not size:
            raise PackageRefused("is empty")
        if looks_like_zip != (declared == "zip"):
            raise PackageRefused("is a zip archive under another name" if looks_like_zip else "is no zip archive")
        if declared == "zip":
            return _inspect_zip(file, size, limits)
        return _inspect_data(file, size, filename, declared, limits)


def _inspect_data(
    file: BinaryIO, size: int, filename: str, declared: DataFormat, limits: PackageLimits
) -> PackageReport:
    report = check_data(iter(lambda: file.read(_PIECE), b""), declared, limits)
    member = MemberReport(name=filename, bytes=size, data=report)
    return PackageReport(
        format=declared, content_bytes=size, members=(member,), missing=("readme", "license", "schema")
    )


def _inspect_zip(file: BinaryIO, size: int, limits: PackageLimits) -> PackageReport:
    budget = Budget(limits)
    members = []
    for member in read_directory(file, size, limits):
        name = member.orig_filename
        kind = DATA_SUFFIXES.get(PurePosixPath(name).suffix.lower())
        pieces = inflate(file, member, budget)
        data = _check_member(name, pieces, kind, limits) if kind is not None else None
        for _ in pieces:  # to its end, where its checksum is
            pass
        members.append(MemberReport(name=name, bytes=member.file_size, data=data))
    return PackageReport(
        format="zip", content_bytes=budget.spent, members=tuple(members), missing=tuple(missing_of(members))
    )


def _check_member(name: str, pieces: Iterator[bytes], kind: DataFormat, limits: PackageLimits) -> DataReport:
    try:
        return check_data(pieces, kind, limits)
    except PackageRefused as error:
        if error.problem.startswith(shown(name)):
            raise
        raise PackageRefused(f"{shown(name)}: {error.problem}") from None


def missing_of(members: list[MemberReport]) -> Iterator[Missing]:
    """By the names and suffixes that are usual."""
    stems = [PurePosixPath(member.name).name.lower() for member in members]
    if not any(stem.startswith(("readme", "datasheet", "dataset_card")) for stem in stems):
        yield "readme"
    if not any(stem.startswith(("license", "licence", "copying")) for stem in stems):
        yield "license"
    if not any("schema" in stem for stem in stems):
        yield "schema"
    if not any(member.data is not None and "schema" not in stem for member, stem in zip(members, stems, strict=True)):
        yield "data"
