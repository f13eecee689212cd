"""The report as a whole: it is one file, says what it should, and is not moved by what an agent said."""

import time
from typing import Any

import pytest
from msgspec.structs import replace
from tests.factories.read_pages import Page
from tests.factories.report_runs import a_suite_result
from tests.factories.suite_results import a_fact, a_provenance, a_question, a_result

from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.report import ReferenceRow, render_report
from aml.toolkit.results import EvidenceSession, Unscored

HOSTILE = """</div></script><img src=x onerror="alert(1)">'"<b>&amp;{{7*7}}{% raw %}\x00\ud800\u202egnp"""


def read(*results: Any, **options: Any) -> Page:
    return Page(render_report(results, **options).decode())


def test_elements_are_closed_in_their_order() -> None:
    result = a_suite_result("full", repeats=2, unscored=0.1, reaches=25)
    other = a_suite_result("full", agent="other", seed=3)
    baseline = baseline_of(other, "last week")
    row = ReferenceRow(label="GPT-4o", overall=60.6, questions=500, source="a paper")

    for shown in ([result], [result, other]):
        assert read(*shown, baselines=[baseline], references=[row]).wrong == []


def test_ids_are_unique_and_every_link_leads_somewhere() -> None:
    results = [a_suite_result("standard"), a_suite_result("standard", agent="other", seed=2)]

    page = read(*results, baselines=[baseline_of(results[1], "last week")])

    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    links = [str(attributes["href"]) for tag, attributes in page.tags if tag == "a"]
    assert len(ids) == len(set(ids))
    assert links
    assert {link.removeprefix("#") for link in links} <= set(ids)


def test_the_file_asks_nobody_for_anything() -> None:
    page = read(a_suite_result(), baselines=[baseline_of(a_suite_result(seed=2), "last week")])

    addresses = {
        value
        for _, attributes in page.tags
        for name, value in attributes.items()
        if name in {"src", "href", "action", "srcset", "poster"}
    }
    assert {value for value in addresses if value and not value.startswith("#")} == {"data:,"}
    assert not any("style" in attributes for _, attributes in page.tags)


def test_the_same_results_give_the_same_bytes() -> None:
    result = a_suite_result("full", repeats=2, unscored=0.05)
    assert render_report([result], [baseline_of(result, "last week")]) == render_report(
        [result], [baseline_of(result, "last week")]
    )


def test_standards_report_is_quick_and_small() -> None:
    result = a_suite_result("standard", right=0.3, repeats=1)
    started = time.perf_counter()

    page = render_report([result], [baseline_of(a_suite_result("standard", seed=2), "last week")])

    assert time.perf_counter() - started < 2
    assert len(page) <= 400_000


def test_a_standard_of_nothing_but_hostile_megabytes_is_not_larger() -> None:
    result = a_suite_result("standard", right=0.0, change=lambda record: replace(record, answer="<'&\">" * 200_000))

    page = render_report([result])

    assert len(page) <= 400_000
    assert b"of 1,000,000 characters" in page


def test_hostile_text_is_text_wherever_it_comes_from() -> None:
    question = a_question(
        HOSTILE,
        0,
        question_id=HOSTILE,
        text=HOSTILE,
        reference=HOSTILE,
        answer=HOSTILE,
        reason=HOSTILE,
        judge=HOSTILE,
        scenario=HOSTILE,
        asked_on=HOSTILE,
        facts=(a_fact(HOSTILE, said=False),),
        forbidden=(HOSTILE,),
        evidence=(EvidenceSession(session_id=HOSTILE, on=HOSTILE, excerpt=HOSTILE),),
    )
    lost = replace(
        question, score=None, question_id="2", unscored=Unscored(stage=HOSTILE, reason=HOSTILE, detail=HOSTILE)
    )
    names = dict.fromkeys(
        ("tool_version", "suite", "language", "history", "dataset_sha256", "release_id", "checkpoint"), HOSTILE
    )
    provenance = a_provenance(**names, job_ids=(HOSTILE,), judge_fingerprints=(HOSTILE,))
    result = a_result([question, lost], provenance=provenance)
    result = replace(result, agent=HOSTILE, model=HOSTILE, suite=HOSTILE, started_at=HOSTILE, skipped=(HOSTILE,))
    calm = a_result([a_question(score=0), a_question(score=None, number=2)], provenance=a_provenance(checkpoint="calm"))
    row = ReferenceRow(label=HOSTILE, overall=1.0, questions=1, source=HOSTILE)

    page = read(result, result, baselines=[baseline_of(result, HOSTILE)], references=[row])

    assert page.wrong == []
    kinds = {tag for tag, _ in page.tags}
    assert not kinds & {"img", "b", "iframe", "object"}
    assert kinds == {tag for tag, _ in read(calm, calm, baselines=[baseline_of(calm, "calm")], references=[row]).tags}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert "{{7*7}}{% raw %}" in page.said


@pytest.mark.parametrize(("language", "words"), [("en", "What went wrong"), ("zh", "哪里出了错")])
def test_each_language_speaks_its_own(language: str, words: str) -> None:
    page = read(a_result([a_question(score=0)]), language=language)

    assert words in page.said
    assert page.tags[0] == ("html", {"lang": {"en": "en", "zh": "zh-Hans"}[language]})


def test_scores_grades_intervals_and_counts_stand_in_the_table() -> None:
    result = a_result([a_question(number=number, score=100 if number else 0) for number in range(10)])
    category = result.categories[0]

    text = read(result).said

    assert f"Basic retention A 90.0 {category.low:.1f}–{category.high:.1f} 10 / 10 100.0 80.0 passed" in text


def test_an_incomplete_result_says_so_before_anything_else() -> None:
    text = read(a_result([a_question(number=1), a_question(score=None, number=2)])).said
    assert text.index("1 of 2 answers have no score") < text.index("Categories Scores")


def test_what_may_not_be_compared_says_what_differs() -> None:
    result = a_result([a_question()])
    other = a_result([a_question()], provenance=a_provenance(release_digest="d" * 64, seed=7))

    text = read(result, baselines=[baseline_of(other, "old")]).said

    assert "Not comparable. an agent / old Seed: 0 / 7 Release digest: cccccccccccc… / dddddddddddd…" in text


def test_a_perfect_run_has_nothing_to_drill_into() -> None:
    assert "Every question was answered fully right." in read(a_result([a_question()])).said


def test_runs_beside_each_other_have_their_pairs_counted() -> None:
    questions = [a_question(number=number, score=0) for number in range(12)]
    better = [replace(each, score=100.0) for each in questions]

    text = read(a_result(questions), a_result(better)).said

    assert "2 runs compared" in text
    assert "an agent (2) +100.0 12 0 < 0.001 +100.0" in text


def test_repeats_show_their_spread() -> None:
    questions = [
        a_question(number=number, score=100.0 * (number <= 5 + repeat), repeat=repeat)
        for repeat in range(3)
        for number in range(10)
    ]

    assert "an agent 3 60.0 80.0 20.0 60.0, 70.0, 80.0" in read(a_result(questions)).said


def test_published_rows_stand_beside_ours() -> None:
    row = ReferenceRow(label="GPT-4o", overall=60.6, questions=500, source="Wu et al., figure 3(b)")
    text = read(a_result([a_question()]), references=[row]).said
    assert "an agent 100.0 1 this report GPT-4o 60.6 500 Wu et al., figure 3(b)" in text


def test_unknown_provenance_is_called_unknown() -> None:
    text = read(a_result([a_question()], provenance=a_provenance(dataset_sha256=None))).said
    assert "Dataset SHA-256 not known" in text
    assert "No job is recorded for this run" in text


def test_a_result_without_questions_still_has_a_report() -> None:
    assert "Overall" in read(a_result([])).said


def test_no_result_is_no_report() -> None:
    with pytest.raises(ValueError, match="at least one result"):
        render_report([])
