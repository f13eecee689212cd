import io

import msgspec
from rich.console import Console
from tests.factories.platform_views import a_job, results_of
from tests.factories.results import a_gate, a_result, a_tally

from aml.contracts.seals import JobResult, ReasonCount
from aml.gateway.results.views import QuestionRow
from aml.toolkit.evaluation.outcome_table import bounds, millis, print_outcome, score
from aml.toolkit.evaluation.run_outcome import run_outcome
from aml.toolkit.evaluation.run_record import SystemShown

SYSTEM = SystemShown(label="[bold]mine", add_url="a", search_url="s", health_url="h", auth="none")


def printed(result: JobResult, *unscored: QuestionRow) -> str:
    text = io.StringIO()
    outcome = run_outcome(a_job(), SYSTEM, results_of(a_gate(result=result)), unscored=unscored, checkpoint=None)
    print_outcome(Console(file=text, width=140), outcome)
    return text.getvalue()


def test_a_row_for_each_category_dataset_and_overall() -> None:
    shown = printed(a_result(700_000))

    assert "[bold]mine" in shown, "a system's name is text, not markup"
    for part in ("single-session", "temporal", "counted in Overall", "70.0", "64.0 – 75.4", "48.0 ms"):
        assert part in shown
    assert "all questions" not in shown


def test_a_category_reported_apart_is_counted_in_a_line_of_its_own() -> None:
    result = a_result(700_000)
    [dataset] = result.datasets
    apart = msgspec.structs.replace(dataset.categories[0], in_overall=False)
    counted = msgspec.structs.replace(dataset, overall=a_tally(640_000, 60), categories=(apart, dataset.categories[1]))
    shown = printed(msgspec.structs.replace(result, datasets=(counted,)))

    assert "single-session (apart)" in shown
    assert "all questions" in shown


def test_unscored_questions_come_with_reason_and_example() -> None:
    result = a_result(700_000)
    holed = msgspec.structs.replace(result.datasets[0], unscored=(ReasonCount(reason="transport", questions=2),))
    fields = dict.fromkeys(QuestionRow.__struct_fields__) | {
        "unit": "u", "category": "temporal", "stage": "retrieval", "detail": "no answer [after 6 attempts]",
    }  # fmt: skip
    shown = printed(msgspec.structs.replace(result, datasets=(holed,)), QuestionRow(**fields))  # type: ignore[arg-type]

    assert "unscored: 2 of practice for transport" in shown
    assert "temporal in stage retrieval: no answer [after 6 attempts]" in shown


def test_what_is_not_there_is_a_dash() -> None:
    assert (score(None), bounds(None), millis(None)) == ("—", "—", "—")
    assert (score(0.0), millis(0.04), millis(1234.5)) == ("0.0", "0.0 ms", "1,234 ms")
