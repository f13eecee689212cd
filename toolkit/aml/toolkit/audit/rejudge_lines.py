"""A rejudgement for a terminal: what moved, then the sum."""

from collections.abc import Iterator

from aml.toolkit.shown_text import shown

from .rejudge import Rejudged, Rejudgement

_WIDTH = 70


def rejudge_lines(outcome: Rejudgement, *, every: bool = False) -> Iterator[str]:
    for each in outcome.questions:
        if every or each.after != each.before:
            yield from _question(each)
    total = len(outcome.questions)
    yield (
        f"job {outcome.job_id} under {outcome.release_id} ({outcome.release_digest[:12]}…): {total} questions,"
        f" {outcome.agreed} agreed, {outcome.better} better, {outcome.worse} worse, {outcome.unscored} without a verdict"
    )
    if outcome.mean_before is not None and outcome.mean_after is not None:
        yield (
            f"mean {_percent(outcome.mean_before)} before, {_percent(outcome.mean_after)} after;"
            f" McNemar p = {outcome.p_value / 1_000_000:.4f} over those that moved"
        )


def _question(each: Rejudged) -> Iterator[str]:
    after = "no verdict" if each.after is None else _percent(each.after)
    yield f"{each.dataset} {each.question_id} ({each.category}): {_percent(each.before)} -> {after}"
    yield f"    asked    {shown(each.question, _WIDTH)}"
    yield f"    answered {shown(each.answer, _WIDTH)}"
    yield f"    {each.rule_before:12} {shown(each.reason_before, _WIDTH)}"
    yield f"    {each.rule_after:12} {shown(each.reason_after, _WIDTH)}"


def _percent(millionths: int) -> str:
    return f"{millionths / 10_000:.1f} %"
