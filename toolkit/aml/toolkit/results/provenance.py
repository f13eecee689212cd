"""What a result was measured with. Two results may be compared only where this says that they measured the same thing.

What is not known is None, never a placeholder: two unknowns are not equal.
"""

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

    def differences(self, other: "Provenance") -> tuple[str, ...]:
        """What makes the two incomparable, in words. Empty where they measured the same thing with the same rules."""
        found = []
        for field, label in _COMPARED:
            mine, theirs = getattr(self, field), getattr(other, field)
            if mine != theirs:
                found.append(f"{label}: {_shown(mine)} here, {_shown(theirs)} there")
            elif mine is None:
                found.append(f"{label}: not known on either side")
        return tuple(found)


_COMPARED = (
    ("suite", "suite"),
    ("language", "language"),
    ("seed", "seed"),
    ("history", "history"),
    ("dataset_sha256", "dataset"),
    ("question_ids_sha256", "questions"),
    ("release_digest", "release"),
)


def _shown(value: object) -> str:
    text = "not known" if value is None else str(value)
    return text if len(text) <= 20 else f"{text[:12]}…"
