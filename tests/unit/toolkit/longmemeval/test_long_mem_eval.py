from pathlib import Path
from typing import Any

import pytest
from tests.factories.longmemeval import a_dataset, a_record

from aml.ingest.benchmarks import BundleError
from aml.toolkit.agents import AgentCannot, NotAnAgent, from_memory
from aml.toolkit.longmemeval import LongMemEval, LongMemEvalOptions, NothingSelected, OptionInvalid


class Modelled:
    def __init__(self, model: str) -> None:
        self.model = model

    def ask(self, message: str) -> str:
        return message


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return a_dataset(tmp_path / "d.json")


def test_options_come_by_name_or_as_a_struct_and_not_both(dataset: Path) -> None:
    struct = LongMemEvalOptions(max_questions=3)
    assert LongMemEval(dataset, max_questions=3).options == LongMemEval(dataset, struct).options
    with pytest.raises(OptionInvalid, match="max_questions"):
        LongMemEval(dataset, struct, max_questions=4)
    with pytest.raises(OptionInvalid, match="no such option"):
        LongMemEval(dataset, questions=4)


def test_a_sample_is_drawn_without_a_platform(dataset: Path) -> None:
    selection = LongMemEval(dataset, max_questions=8).sample()
    assert len(selection.questions) == 8
    assert LongMemEval(str(dataset), max_questions=8).sample() == selection


def test_an_empty_sample_is_an_error_that_says_why(tmp_path: Path) -> None:
    path = a_dataset(tmp_path / "d.json", [a_record(1)])
    with pytest.raises(NothingSelected, match="of multi-session, with abstention_policy 'as_sampled'"):
        LongMemEval(path, include_question_types=("multi-session",)).sample()


@pytest.mark.parametrize(
    ("agent", "options", "error"),
    [
        (object(), {}, NotAnAgent),
        (lambda message: message, {"temporal_grounding": "timestamps_only"}, AgentCannot),
        (from_memory(lambda *_: None, lambda *_: []), {"answer_seed": 1}, OptionInvalid),
    ],
)
async def test_what_cannot_be_is_refused_before_anything_is_made(
    dataset: Path, tmp_path: Path, agent: Any, options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await LongMemEval(dataset, **options).run(agent, home=tmp_path / "home")
    assert not (tmp_path / "home").exists()


async def test_a_missing_dataset_starts_nothing(tmp_path: Path) -> None:
    with pytest.raises(BundleError):
        await LongMemEval(tmp_path / "none.json").run(lambda message: message, home=tmp_path / "home")
    assert not (tmp_path / "home").exists()


async def test_a_memory_is_no_reader_for_the_oracle(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionInvalid, match="oracle"):
        await LongMemEval(dataset).run_oracle(from_memory(lambda *_: None, lambda *_: []), home=tmp_path / "home")


async def test_a_pair_has_one_model(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionInvalid, match="one and two"):
        await LongMemEval(dataset).run_paired(Modelled("two"), Modelled("one"), home=tmp_path / "home")
