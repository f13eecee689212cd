import json
from pathlib import Path

import pytest

from aml.examples.oracle import Oracle, read_evidence
from aml.examples.serve import Search

ENTRIES = [
    {"user": "conv-1", "question": "Who?", "texts": ["Ann", "Ben"]},
    {"user": "conv-11", "question": "Who?", "texts": ["Cleo"]},
]


def test_evidence_is_found_by_question_and_end_of_the_user_id(tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(ENTRIES))
    oracle = Oracle(read_evidence(file))

    def found(user: str, query: str, top_k: int = 5) -> list[str]:
        return [item.content for item in oracle.search(Search(query=query, user_id=user, top_k=top_k))]

    assert found("eval:run:d:conv-1", "Who?") == ["Ann", "Ben"]
    assert found("conv-11", "Who?") == ["Cleo"]
    assert found("eval:run:d:conv-1", "Who?", 1) == ["Ann"]
    assert found("eval:run:d:xconv-1", "Who?") == found("eval:run:d:conv-1", "When?") == []


@pytest.mark.parametrize("text", ["", "{}", '[{"user": 1}]'])
def test_an_unusable_file_is_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(text)
    with pytest.raises(SystemExit, match="not usable as evidence"):
        read_evidence(file)
