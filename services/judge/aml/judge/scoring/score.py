"""Scores one answer by the rule that its release gives for the question's type."""

from aml.contracts.benchmark import Gold, Question
from aml.contracts.packs import AnswerRecord
from aml.contracts.release import ScoringRule
from aml.judge.errors import ReleaseGap
from aml.judge.model_calls.completion import ChatModel
from aml.judge.release_rules import rule_for
from aml.runtime.release_folder import LoadedRelease

from .choice import score_choice
from .fact_judge import FACT_TYPES, judge_by_facts
from .llm_judge import JudgePrompt, judge_with_model
from .locomo_f1 import locomo_category, score_locomo
from .part_judge import judge_by_parts
from .rule_judge import judge_by_rules
from .verdict import RuleScore, Verdict, outcome_of


async def score(
    question: Question, gold: Gold, answer: AnswerRecord, release: LoadedRelease, model: ChatModel | None = None
) -> Verdict:
    """`model` is the judging model of a release that has one. Raises `aml.judge.errors.UnscoredError`."""
    rule = rule_for(question, release)
    if rule.rule == "llm_judge":
        if model is None or rule.judge_prompt is None:
            raise ReleaseGap(
                "internal", f"release {release.release.release_id} judges with a model, and none was given"
            )
        prompt = JudgePrompt(
            template=release.prompts[rule.judge_prompt], fingerprint=release.fingerprints[rule.judge_prompt]
        )
        readings = release.release.judge.readings
        if rule.decompose is not None and gold.rubric:
            return await judge_by_parts(prompt, question, gold, answer, model, readings=readings, decide=rule.decompose)
        return await judge_with_model(prompt, question, gold, answer, model, readings=readings)
    scored = score_by_rule(rule, question, gold, answer.text)
    return Verdict(
        score=scored.score,
        outcome=outcome_of(scored.score),
        rule=rule.rule,
        reason=scored.reason,
        facts=scored.facts,
        forbidden=scored.forbidden,
    )


def score_by_rule(rule: ScoringRule, question: Question, gold: Gold, answer: str) -> RuleScore:
    """The rules that need no model. Raises `ReleaseGap` for one that cannot score this question."""
    match rule.rule:
        case "rule_judge":
            return judge_by_rules(gold, answer)
        case "locomo_f1":
            category = locomo_category(question.question_type)
            if category is None:
                raise ReleaseGap("internal", f"locomo_f1 does not know question type {question.question_type!r}")
            return score_locomo(category, gold.answers[0] if gold.answers else "", answer)
        case "facts":
            return _score_by_facts(question, gold, answer)
        case "choice":
            return score_choice(gold.answers, question.options, answer)
        case "llm_judge" | "ordering" | "rubric":
            raise ReleaseGap("internal", f"rule {rule.rule!r} is not implemented in this judge")


def _score_by_facts(question: Question, gold: Gold, answer: str) -> RuleScore:
    if question.question_type not in FACT_TYPES:
        raise ReleaseGap("internal", f"facts does not know question type {question.question_type!r}")
    try:
        return judge_by_facts(question.question_type, gold, answer)
    except ValueError as error:
        raise ReleaseGap("internal", str(error)) from None
