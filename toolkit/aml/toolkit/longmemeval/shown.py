"""A LongMemEval result as lines for a terminal or a build's log. Denominators are always there."""

from collections.abc import Iterator

from .accounting import Accuracy
from .result import LongMemEvalResult, PairedResult


def result_lines(result: LongMemEvalResult) -> Iterator[str]:
    counts, found = result.counts, result.accuracies
    yield f"LongMemEval, {result.agent}, {result.arm} arm: {accuracy_shown(found.overall)}"
    averaged = "none" if found.task_averaged is None else f"{found.task_averaged:.1f}"
    yield f"  mean of the types {averaged}; abstention {accuracy_shown(found.abstention)}"
    for name, accuracy in found.by_type.items():
        yield f"  {name}: {accuracy_shown(accuracy)}"
    yield (
        f"  {counts.selected} selected, {counts.completed} answered, {counts.scored} scored, {counts.correct} correct,"
        f" {counts.incorrect} incorrect, {counts.inconclusive} inconclusive, {counts.agent_failure} without an answer"
    )
    yield f"  judge calls {counts.judge_calls}: {counts.judge_primary_calls} primary, {counts.judge_retry_calls} retry"
    yield from _sample_lines(result)
    sampling = result.answer_sampling
    for name, parameter in (("temperature", sampling.temperature), ("seed", sampling.seed)):
        if parameter.requested is not None:
            yield f"  answer {name} {parameter.requested:g}: {parameter.outcome.replace('_', ' ')}"
    if result.grounding.mode != "none" and (leak := result.grounding.leak) is not None:
        yield f"  {leak:.1%} of {result.grounding.sessions} sessions hold a date in their own text"
    if (oracle := result.oracle) is not None:
        yield (
            f"  oracle: {oracle.gold_kept} of {oracle.gold_available} answer sessions kept,"
            f" {oracle.distractors_added} of {oracle.distractors_requested} distractors added"
        )
    for each in result.retrieval:
        yield (
            f"  retrieval @{each.k}: recall_any {each.recall_any:.3f}, recall_all {each.recall_all:.3f},"
            f" NDCG {each.ndcg:.3f} (as LongMemEval has it {each.ndcg_lme_compat:.3f})"
        )
    for row in result.published[:3]:
        yield f"  published: {row.system} {row.accuracy:.1f} (n = {row.questions}; {row.source})"


def paired_lines(paired: PairedResult) -> Iterator[str]:
    yield from result_lines(paired.agent)
    yield from result_lines(paired.oracle)
    if paired.gap_points is None:
        yield "gap to the oracle: none, since no question is scored in both arms"
    else:
        yield f"gap to the oracle: {paired.gap_points:.1f} points, over {paired.both_scored} questions scored in both arms"


def accuracy_shown(accuracy: Accuracy) -> str:
    if accuracy.accuracy is None:
        return f"not scored (0 of {accuracy.questions})"
    bounds = f"{accuracy.low:.1f} to {accuracy.high:.1f}"
    return f"{accuracy.accuracy:.1f} % ({bounds}; {accuracy.correct} of {accuracy.scored} scored, {accuracy.questions} asked)"


def _sample_lines(result: LongMemEvalResult) -> Iterator[str]:
    composition = result.composition
    if composition.questions < composition.requested_questions:
        yield f"  the sample is short: {composition.questions} of {composition.requested_questions} questions"
    wanted, found = composition.requested_abstention_proportion, composition.abstention_proportion
    if wanted is not None:
        share = "none" if found is None else f"{found:.1%}"
        yield f"  abstention: {wanted:.1%} asked for, {share} in the sample"
