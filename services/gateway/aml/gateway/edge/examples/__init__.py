"""What the OpenAPI document shows of every operation: a request, its answer, and what may stand in the way."""

from collections.abc import Mapping

from . import access, donations, jobs, keys, operations, public, results, review
from .route_example import RouteExample

__all__ = ["EXAMPLES", "RouteExample"]

EXAMPLES: Mapping[str, RouteExample] = {
    **access.EXAMPLES,
    **keys.EXAMPLES,
    **jobs.EXAMPLES,
    **results.EXAMPLES,
    **review.EXAMPLES,
    **donations.EXAMPLES,
    **operations.EXAMPLES,
    **public.EXAMPLES,
}
"""By the name of the handler's function, which is the operation's id."""
