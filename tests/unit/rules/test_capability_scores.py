from msgspec.structs import replace
from tests.factories.results import a_result, a_tally

from aml.contracts.seals import CategoryResult, JobResult
from aml.contracts.vocabulary import Capability
from aml.rules.capability_scores import capability_scores
from aml.rules.intervals import wilson


def a_category(
    capability: Capability, score: int | None, planned: int = 100, *, in_overall: bool = True
) -> CategoryResult:
    return CategoryResult(
        category=f"{capability}-{score}", capability=capability, in_overall=in_overall, tally=a_tally(score, planned)
    )


def a_result_of(*datasets: tuple[CategoryResult, ...]) -> JobResult:
    plain = a_result(datasets={f"d{n}": 500_000 for n in range(len(datasets))})
    return replace(
        plain,
        datasets=tuple(replace(one, categories=parts) for one, parts in zip(plain.datasets, datasets, strict=True)),
    )


def test_a_capability_is_the_mean_over_its_questions_in_all_datasets() -> None:
    found = capability_scores(
        a_result_of((a_category("temporal", 500_000, 100),), (a_category("temporal", 800_000, 200),))
    )

    assert [(each.capability, each.score, each.scored, each.planned) for each in found] == [
        ("temporal", 700_000, 300, 300)
    ]
    assert found[0].interval == wilson(210_000_000, 300)


def test_what_is_reported_apart_does_not_count() -> None:
    parts = (a_category("temporal", 500_000), a_category("temporal", 0, in_overall=False))

    assert [each.score for each in capability_scores(a_result_of(parts))] == [500_000]


def test_what_was_not_scored_has_no_score_but_a_denominator() -> None:
    (found,) = capability_scores(a_result_of((a_category("abstention", None, 7),)))

    assert (found.score, found.interval, found.scored, found.planned) == (None, None, 0, 7)


def test_other_comes_last() -> None:
    parts = (a_category("other", 1), a_category("temporal", 1), a_category("abstention", 1))

    assert [each.capability for each in capability_scores(a_result_of(parts))] == ["abstention", "temporal", "other"]
