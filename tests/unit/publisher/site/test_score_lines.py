from msgspec.structs import replace
from tests.factories.results import a_result, a_tally

from aml.contracts.seals import JobResult
from aml.publisher.catalogue import catalogue
from aml.publisher.site.score_lines import APART, WHOLE, kind_names, score_groups, table_bodies


def bodies_of(result: JobResult) -> str:
    return str(table_bodies(score_groups(result), kind_names(catalogue("en"))))


def test_a_dataset_comes_before_its_categories() -> None:
    groups = score_groups(a_result(datasets={"one": 700_000, "two": 500_000}))

    kinds = [WHOLE, "fact_recall", "temporal"]
    assert [[line.kind for line in group] for group in groups] == [kinds, kinds]
    assert [str(group[0].head) for group in groups] == ['<th scope="row">one</th>', '<th scope="row">two</th>']


def test_a_category_that_does_not_count_is_apart() -> None:
    plain = a_result()
    (dataset,) = plain.datasets
    apart = replace(dataset, categories=(replace(dataset.categories[0], in_overall=False),))

    ((_, line),) = score_groups(replace(plain, datasets=(apart,)))

    assert line.kind == APART
    assert "reported apart, not in Overall" in bodies_of(replace(plain, datasets=(apart,)))


def test_a_line_has_score_bar_interval_and_denominator() -> None:
    ((whole, part, _),) = score_groups(a_result(712_345, planned=120))

    for text in (">71.2<", "<svg", "65.2–76.6", "120 / 120"):
        assert text in whole.cells
    assert "<svg" not in part.cells


def test_what_was_not_scored_is_a_dash_and_no_bar() -> None:
    plain = a_result()
    (dataset,) = plain.datasets

    cells = score_groups(replace(plain, datasets=(replace(dataset, overall=a_tally(None, 9)),)))[0][0].cells

    assert cells.count("—") == 2
    assert "<svg" not in cells
    assert "0 / 9" in cells


def test_a_name_is_text() -> None:
    plain = a_result()
    (dataset,) = plain.datasets
    hostile = replace(dataset, categories=(replace(dataset.categories[0], category="<b>x"),))

    assert '<th scope="row">&lt;b&gt;x</th>' in bodies_of(replace(plain, datasets=(hostile,)))
