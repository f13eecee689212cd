"""What a result was measured with. Two results may be compared only where this says that they measured the same thing.

What is not known is None, never a placeholder: two unknowns are not equal.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct


class Provenance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tool_version: str
    suite: str
    language: str
    seed: int
    history: str
    """`inject` or `live`: how the agent came by its history."""
    dataset_sha256: str | None = None
    """Of the bundle that ran, which holds every turn, question and gold answer."""
    question_ids_sha256: str | None = None
    """Over the sorted ids of the questions that ran."""
    release_id: str | None = None
    release_digest: str | None = None
    """Over the scoring rules, prompts and model settings."""
    pipeline_digest: str | None = None
    judge_fingerprints: tuple[str, ...] = ()
    """Build ids that the judge's provider returned; more than one means that the run spanned builds."""
    job_ids: tuple[str, ...] = ()
    """With these and the ledger's checkpoint anybody with the stack's log can verify the run: `aml audit export`."""
    checkpoint: str | None = None

    def differing(self, other: "Provenance") -> tuple["Differing", ...]:
        """What makes the two incomparable. Empty where they measured the same thing with the same rules."""
        pairs = ((field, getattr(self, field), getattr(other, field)) for field in COMPARED)
        return tuple(
            Differing(field=field, here=_short(here), there=_short(there))
            for field, here, there in pairs
            if here != there or here is None
        )

    def differences(self, other: "Provenance") -> tuple[str, ...]:
        """The same in English words."""
        return tuple(f"{COMPARED[each.field]}: {_in_words(each)}" for each in self.differing(other))


class Differing(Struct, frozen=True, kw_only=True):
    """A field of the provenance that is not the same, or that neither side knows. Digests are cut."""

    field: str
    here: str | None
    there: str | None


COMPARED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "suite": "suite",
        "language": "language",
        "seed": "seed",
        "history": "history",
        "dataset_sha256": "dataset",
        "question_ids_sha256": "questions",
        "release_digest": "release",
    }
)
"""Fields, each with its word."""


def _short(value: object) -> str | None:
    if value is None:
        return None
    text = str(value)
    return text if len(text) <= 20 else f"{text[:12]}…"


def _in_words(found: Differing) -> str:
    if found.here is None and found.there is None:
        return "not known on either side"
    return f"{found.here or 'not known'} here, {found.there or 'not known'} there"
