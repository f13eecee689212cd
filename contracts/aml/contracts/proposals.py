"""Benchmarks that somebody offers. Contacts, samples and packages stay out of events."""

from typing import Literal

from .envelope import Count, Digest, Fact, Token
from .vocabulary import Track

ProposalDecision = Literal["accept", "decline", "ask_for_more"]


class BenchmarkProposed(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="benchmark_proposed.v1"
):
    proposal_id: Token
    title: str
    track: Track
    license: str
    """An SPDX expression, as its donor wrote it."""
    key_id: Token | None
    """The participant who offers it; None for a donor without a key."""
    profile: Digest
    """SHA-256 of the canonical proposal, so that a decision is bound to what was read."""


class ProposalDecided(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="proposal_decided.v1"
):
    """Decision number `number` about a proposal, counted from 1. The last one stands."""

    proposal_id: Token
    number: Count
    decision: ProposalDecision
    reviewer: Token
    reason: str
    package: Digest | None
    """SHA-256 of the package that was looked at; None where there was none."""
