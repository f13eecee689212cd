"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from msgspec import Struct

from aml.contracts.seals import Decision
from aml.gateway.edge.text_bounds import Reason


class ReviewOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: Decision
    reason: Reason
