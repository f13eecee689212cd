"""A judge's verdicts against a person's labels: agreement, Cohen's kappa, and a table by kind. Integers throughout.

Kappa after J. Cohen, A coefficient of agreement for nominal scales, 1960: (observed - chance) / (1 - chance). A verdict that
could not be read is a third answer of the judge's, which no label has.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from aml.contracts.calibration import KindAgreement
from aml.contracts.release import Release

_DETAILS_TAG = b"aml.calibration.v1\x00"
_MILLION = 1_000_000


class Judged(Struct, frozen=True, kw_only=True):
    """One labelled answer and what the judge said of it; `verdict` None where nothing could be read."""

    case_id: str
    kind: str
    correct: bool
    verdict: bool | None

    @property
    def agreed(self) -> bool:
        return self.verdict is self.correct


class Agreement(Struct, frozen=True, kw_only=True):
    labelled: int
    agreed: int
    unread: int
    agreement: int
    """Millionths, rounded down: 0 for an empty set."""
    kappa: int
    """Millionths, rounded down; 0 where chance alone agrees on everything."""
    kinds: tuple[KindAgreement, ...]
    disagreed: tuple[str, ...]


def agreement_of(judged: Sequence[Judged]) -> Agreement:
    agreed = sum(each.agreed for each in judged)
    labelled_by_kind = Counter(each.kind for each in judged)
    agreed_by_kind = Counter(each.kind for each in judged if each.agreed)
    return Agreement(
        labelled=len(judged),
        agreed=agreed,
        unread=sum(each.verdict is None for each in judged),
        agreement=agreed * _MILLION // len(judged) if judged else 0,
        kappa=_kappa(judged, agreed),
        kinds=tuple(
            KindAgreement(kind=kind, labelled=count, agreed=agreed_by_kind[kind])
            for kind, count in sorted(labelled_by_kind.items())
        ),
        disagreed=tuple(each.case_id for each in judged if not each.agreed),
    )


def details_digest(judged: Sequence[Judged]) -> str:
    """Over every case and its verdict, in the set's order: whoever measures again can tell whether all of them are the same."""
    hasher = hashlib.sha256(_DETAILS_TAG)
    for each in judged:
        verdict = {True: "correct", False: "incorrect", None: "unread"}[each.verdict]
        hasher.update(f"{each.case_id} {verdict}\n".encode())
    return hasher.hexdigest()


def judge_name(release: Release) -> str:
    judge = release.judge
    return judge.kind if judge.model is None else f"{judge.kind}:{judge.model}"


def _kappa(judged: Sequence[Judged], agreed: int) -> int:
    """Both sides times n², so that nothing is rounded before the end."""
    n = len(judged)
    labels = Counter(each.correct for each in judged)
    verdicts = Counter(each.verdict for each in judged)
    by_chance = sum(labels[value] * verdicts[value] for value in (True, False))
    room = n * n - by_chance
    return (n * agreed - by_chance) * _MILLION // room if room else 0
