"""compose.yaml as the tests read it: merged, interpolated with its own defaults, nothing started."""

import re
from functools import cache
from typing import Any

import yaml
from tests.architecture.source_tree import ROOT

OURS = ("gateway", "ingest", "retrieval", "judge", "ledger", "publisher")


@cache
def compose() -> dict[str, Any]:
    return _interpolated(yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8")))


def service(name: str) -> dict[str, Any]:
    return compose()["services"][name]


def mounts(name: str) -> dict[str, tuple[str, bool]]:
    """Path in the container → (volume, whether it may be written)."""
    found = {}
    for text in service(name).get("volumes", ()):
        volume, path, *mode = text.split(":")
        found[path] = (volume, mode != ["ro"])
    return found


def _interpolated(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _interpolated(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_interpolated(item) for item in value]
    if isinstance(value, str):
        return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value).replace("$$", "$")
    return value
