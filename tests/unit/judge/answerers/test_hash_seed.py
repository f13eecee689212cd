"""The same question over the same memories is answered alike in every process, whatever seed Python hashes strings with."""

import subprocess
import sys

import pytest

PROGRAM = """
import hashlib
from aml.ingest.benchmarks.practice.generate import generate_practice
from aml.judge.answerers.extractive import answer_extractively

seen = hashlib.sha256()
for sample in generate_practice(smoke=False):
    memories = [turn.content for session in sample.sessions for turn in session.turns]
    for question in sample.questions:
        seen.update(answer_extractively(question.text, memories[:60], question.options).encode())
print(seen.hexdigest())
"""


@pytest.mark.parametrize("seed", ["1", "6"])
def test_answers_do_not_depend_on_the_hash_seed(seed: str) -> None:
    usual, other = (
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": each}, capture_output=True, text=True, check=True
        ).stdout
        for each in ("0", seed)
    )
    assert usual == other
