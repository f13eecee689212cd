from pathlib import Path

import pytest

from aml.toolkit.evaluation.dataset_choice import DatasetChoice, choose_datasets
from aml.toolkit.evaluation.errors import WrongUsage


def test_own_suites_need_no_file(tmp_path: Path) -> None:
    file = tmp_path / "locomo10.json"
    file.write_text("[]")

    chosen = choose_datasets(["practice", "practice-smoke", f"locomo={file}"])

    assert chosen == (
        DatasetChoice(name="practice", adapter="practice", path=None),
        DatasetChoice(name="practice-smoke", adapter="practice", path=None),
        DatasetChoice(name="locomo", adapter="locomo", path=file),
    )


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], "is missing; give practice"),
        (["practice", "practice"], "practice is named twice"),
        (["squad=x.json"], "there is no dataset 'squad'"),
        (["locomo"], "write locomo=PATH"),
        (["locomo="], "write locomo=PATH"),
        (["locomo=/no/such/file.json"], "/no/such/file.json does not exist; give the path of the locomo file"),
        (["longmemeval=/"], "/ is no regular file"),
    ],
)
def test_a_wrong_dataset_is_told_what_to_write(texts: list[str], said: str) -> None:
    with pytest.raises(WrongUsage, match="--dataset: ") as raised:
        choose_datasets(texts)
    assert said in str(raised.value)
