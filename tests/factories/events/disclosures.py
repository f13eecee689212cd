"""What the public is told of a version, field by field."""

from typing import Any

from aml.contracts.access import VersionChanged, VersionDisclosed

DISCLOSED = (
    "organisation",
    "repository",
    "commit",
    "original_works",
    "authors",
    "technical_report",
    "method_changes",
    "product_version",
)


def told(**fields: Any) -> VersionDisclosed:
    """What the public may read of a version; nothing but what is given."""
    values: dict[str, Any] = {"at": 1, "version_id": "version-a", "key_id": "key-a", **dict.fromkeys(DISCLOSED)}
    return VersionDisclosed(**{**values, **fields})


def told_again(**fields: Any) -> VersionChanged:
    """What the public may read of it since its owner's edit."""
    values: dict[str, Any] = {
        "at": 2,
        "version_id": "version-a",
        "key_id": "key-a",
        "number": 1,
        "changed": ("disclosure",),
        "new_smoke_needed": False,
        **dict.fromkeys(DISCLOSED),
    }
    return VersionChanged(**{**values, **fields})
