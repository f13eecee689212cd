"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from aml.contracts.proposals import ProposalDecision
from aml.contracts.vocabulary import Track
from aml.gateway.edge.text_bounds import Name, Prose, Reason

Email = Annotated[
    str, Meta(min_length=3, max_length=200, pattern=r"^[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+(?![\s\S])")
]
_TERM = r"\(*[A-Za-z0-9][A-Za-z0-9.+:-]*\)*"
License = Annotated[str, Meta(max_length=200, pattern=rf"^{_TERM}( (AND|OR|WITH) {_TERM})*(?![\s\S])")]
"""An SPDX expression: `CC-BY-4.0`, `MIT OR Apache-2.0`, `LicenseRef-Own-Terms`."""
SourceUrl = Annotated[
    str, Meta(max_length=2000, pattern=r"^https?://[^\s@/?#\x00-\x1f\x7f]+([/?#][^\s\x00-\x1f\x7f]*)?(?![\s\S])")
]
"""Of a paper, repository or source. Nobody calls it but people; it holds no credentials."""
_Sample = Annotated[
    str, Meta(min_length=1, max_length=20_000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*(?![\s\S])")
]


class BenchmarkOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Send a participant's key as `Authorization` to link the proposal to it; without one it is anybody's."""

    contact: Name
    email: Email
    organisation: Name
    title: Name
    track: Track
    scale: Reason
    """How many samples, questions and words, in one's own words."""
    measures: Reason
    """Which capability of a memory it shows, and what the present suite does not."""
    sample: _Sample
    """A few representative records, as text."""
    license: License
    provenance: Annotated[Sequence[SourceUrl], Meta(min_length=1, max_length=10)]
    """Where it comes from: source, paper, repository."""  # a bounded `tuple` would be an impossible schema in the document
    notes: Prose = ""
    """Ground truth, how it was made and checked, what it should not be used for."""


class ProposalOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: ProposalDecision
    reason: Reason
