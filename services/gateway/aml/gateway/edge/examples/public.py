"""What everybody may read."""

from datetime import datetime, timedelta, timezone

from msgspec import Struct

from aml.contracts.cycle import Cycle, CycleTrack, Prize, Words
from aml.contracts.release import ModelSettings, PinnedDataset, Quotas, Release, ScoringRule
from aml.gateway.public.views import LogProof, ReleaseList, ReleaseView

from .invented import DIGEST, SEAL
from .route_example import RouteExample

_RELEASE = Release(
    release_id="practice",
    title="Practice: extractive answers, rule-based judge",
    comparable=False,
    track="textual",
    top_k=100,
    answer=ModelSettings(kind="extractive"),
    judge=ModelSettings(kind="rules"),
    scoring={"practice_multi_hop": ScoringRule(rule="rule_judge")},
    datasets=(
        PinnedDataset(name="practice", adapter="practice", version="1", sha256=DIGEST, samples=10, questions=140),
    ),
    smoke_datasets=(
        PinnedDataset(name="practice-smoke", adapter="practice", version="1", sha256=DIGEST, samples=2, questions=12),
    ),
    show_gold=True,
)
_ZONE = timezone(timedelta(hours=8))
_CYCLE = Cycle(
    cycle_id="2030-1",
    name=Words(en="An invented cycle", zh="示例周期"),
    about=Words(en="Dates and prizes as the organiser's file states them.", zh="日期与奖项以主办方文件为准。"),
    timezone="UTC+8",
    opens_at=datetime(2030, 3, 1, tzinfo=_ZONE),
    materials_close_at=datetime(2030, 5, 1, tzinfo=_ZONE),
    evaluation_closes_at=datetime(2030, 5, 15, tzinfo=_ZONE),
    published=Words(en="June 2030", zh="2030 年 6 月"),
    tracks=(
        CycleTrack(
            track="textual",
            divisions=("open_source", "commercial"),
            release_id="practice",
            about=Words(en="Conversations in text.", zh="文本对话。"),
        ),
    ),
    eligibility=(Words(en="The code is public at a fixed commit.", zh="代码以固定提交公开。"),),
    quotas=Quotas(),
    prizes=(
        Prize(
            track="textual",
            division="open_source",
            name=Words(en="First place", zh="一等奖"),
            places=1,
            amount=1000,
            currency="CNY",
            award="rank",
        ),
    ),
)


class _CycleView(Struct, frozen=True, kw_only=True):
    """As `public/cycles.py` answers; that module knows the database."""

    state: str
    cycle: Cycle


class _CycleList(Struct, frozen=True, kw_only=True):
    cycles: tuple[_CycleView, ...]


_VIEW = _CycleView(state="announced", cycle=_CYCLE)

EXAMPLES = {
    "list_releases": RouteExample(
        about="`contract` is the whole `release.toml`: what is not in it can change no score.",
        answer=ReleaseList(
            releases=(
                ReleaseView(
                    release_id=_RELEASE.release_id,
                    title=_RELEASE.title,
                    digest=DIGEST,
                    comparable=False,
                    track="textual",
                    top_k=100,
                    default=True,
                    contract=_RELEASE,
                ),
            )
        ),
    ),
    "list_cycles": RouteExample(answer=_CycleList(cycles=(_VIEW,))),
    "read_cycle": RouteExample(answer=_VIEW),
    "read_checkpoint": RouteExample(
        about="Size and root of the whole log, signed. Two checkpoints that no consistency proof joins show a fork.",
        answer="log.example.org/aml\n4711\nTr8Jm0bYwq0kP4mKTN5bTgTgnvW1c4GUSd0Q7pl1wK8=\n\n"
        "— log.example.org/aml 2f8c1aBase64Signature=\n",
    ),
    "read_verifier": RouteExample(
        about="Keep it: a key that came together with what it verifies proves nothing.",
        answer="log.example.org/aml+1d3f9c2a+AbPq8nZ0example=\n",
    ),
    "read_proof": RouteExample(
        about="Shows that an entry is in the tree of `size` entries by its leaf's hash, and tells nothing of what it says.",
        answer=LogProof(index=341, leaf=SEAL, tree_size=4711, root=DIGEST, proof=(DIGEST,)),
    ),
}
