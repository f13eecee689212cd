"""Results as JUnit XML: a suite a category, a case a question. Unscored is an error, below 70 a failure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict
from aml.toolkit.results import QuestionRecord, SuiteResult
from aml.toolkit.results.category import PASSING, CategoryScore

from .kept_baselines import Held

_LONGEST: Final = 2_000
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write (section 2.2)."""


def junit_of(held: Sequence[Held], verdict: Verdict | None = None) -> bytes:
    root = Element("testsuites")
    for each in held:
        _add_overall(root, each.result, verdict)
        for category in each.result.categories:
            _add_category(root, each.result, category)
    indent(root)
    text: str = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def properties_of(result: SuiteResult) -> list[tuple[str, str]]:
    """What a build server keeps of a result: scores with their n and interval."""
    found = [
        ("aml.agent", _xml(result.agent)),
        ("aml.suite", result.suite),
        ("aml.language", result.provenance.language),
        ("aml.overall", f"{result.overall:.2f}"),
        *_interval("aml.overall", result.low, result.high),
        ("aml.grade", result.grade),
        ("aml.n", str(result.planned - result.unscored)),
        ("aml.unscored", str(result.unscored)),
        ("aml.complete", str(result.complete).lower()),
    ]
    for each in result.categories:
        found += _category_properties(f"aml.{each.category}", each)
    found += [("aml.job", job_id) for job_id in result.provenance.job_ids]
    if result.provenance.dataset_sha256:
        found.append(("aml.dataset", result.provenance.dataset_sha256))
    return found


def _add_overall(root: Element, result: SuiteResult, verdict: Verdict | None) -> None:
    below = verdict is not None and verdict.conclusion is Conclusion.BELOW_THRESHOLD
    broken = verdict is not None and verdict.conclusion is Conclusion.INCOMPLETE
    suite = _suite(root, f"{result.suite} overall", 1, int(below), int(broken), result.seconds)
    _add_properties(suite, properties_of(result))
    case = SubElement(suite, "testcase", classname=f"aml.{result.suite}", name=_xml(result.agent), time="0.000")
    if verdict is not None and (below or broken):
        SubElement(case, "failure" if below else "error", message=_xml(verdict.sentence))


def _add_category(root: Element, result: SuiteResult, category: CategoryScore) -> None:
    own = [question for question in result.questions if question.category == category.category]
    suite = _suite(
        root,
        f"{result.suite} {category.category}",
        len(own),
        sum(question.score is not None and question.score < PASSING for question in own),
        sum(question.score is None for question in own),
        sum(question.latency_ms or 0.0 for question in own) / 1000,
    )
    _add_properties(suite, _category_properties("aml", category))
    for question in own:
        _add_case(suite, f"aml.{result.suite}.{category.category}", question)


def _add_case(suite: Element, classname: str, question: QuestionRecord) -> None:
    name = question.question_id if not question.repeat else f"{question.question_id} (repeat {question.repeat + 1})"
    seconds = f"{(question.latency_ms or 0.0) / 1000:.3f}"
    case = SubElement(suite, "testcase", classname=classname, name=_xml(name), time=seconds)
    if question.unscored is not None:
        said = f"{question.unscored.stage}: {question.unscored.reason}"
        SubElement(case, "error", message=_xml(said), type="unscored").text = _story(question)
    elif question.score is not None and question.score < PASSING:
        SubElement(case, "failure", message=f"scored {question.score:.0f} of 100", type="score").text = _story(question)


def _story(question: QuestionRecord) -> str:
    lines = [
        f"asked: {_cut(question.text)}",
        f"answered: {_cut(question.answer or 'nothing')}",
        f"wanted: {_cut(question.reference)}",
        f"judge: {_cut(question.reason)}",
        *(f"should not have said: {_cut(each)}" for each in question.forbidden),
    ]
    if question.unscored is not None:
        lines.append(f"unscored: {_cut(question.unscored.detail)}")
    return _xml("\n".join(lines))


def _category_properties(prefix: str, category: CategoryScore) -> list[tuple[str, str]]:
    score = [] if category.score is None else [(f"{prefix}.score", f"{category.score:.2f}")]
    return [
        *score,
        *_interval(prefix, category.low, category.high),
        (f"{prefix}.n", str(category.scored)),
        (f"{prefix}.passed", str(category.passed).lower()),
    ]


def _interval(prefix: str, low: float | None, high: float | None) -> list[tuple[str, str]]:
    return [] if low is None or high is None else [(f"{prefix}.low", f"{low:.2f}"), (f"{prefix}.high", f"{high:.2f}")]


def _suite(root: Element, name: str, tests: int, failures: int, errors: int, seconds: float) -> Element:
    return SubElement(
        root,
        "testsuite",
        name=_xml(name),
        time=f"{seconds:.3f}",
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
    )


def _add_properties(suite: Element, properties: Iterable[tuple[str, str]]) -> None:
    listed = SubElement(suite, "properties")
    for name, value in properties:
        SubElement(listed, "property", name=name, value=value)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def _xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
