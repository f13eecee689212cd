"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from typing import Literal

from msgspec import Struct

from aml.gateway.edge.text_bounds import Name


class KeyOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    role: Literal["reviewer", "operator"]
    label: Name = "unnamed"
