"""Results survive their JSON, and the same result gives the same bytes."""

import msgspec
import pytest
from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.results import SuiteResult


def test_a_result_survives_its_json() -> None:
    result = a_result([a_question(), a_question("reach_back", 50, depth=5), a_question("preference", None)])

    content = result.to_json()

    assert SuiteResult.from_json(content) == result
    assert SuiteResult.from_json(content).to_json() == content


def test_a_result_of_another_shape_names_its_field() -> None:
    with pytest.raises(msgspec.ValidationError, match="agent"):
        SuiteResult.from_json(b"{}")


def test_equal_provenances_are_comparable_and_say_nothing() -> None:
    assert a_provenance().differences(a_provenance(tool_version="9", judge_fingerprints=("x",))) == ()


def test_provenances_say_in_words_what_differs() -> None:
    other = a_provenance(seed=7, release_digest=None)

    assert a_provenance().differences(other) == (
        "seed: 0 here, 7 there",
        "release: cccccccccccc… here, not known there",
    )


def test_two_unknowns_are_not_equal() -> None:
    assert a_provenance(dataset_sha256=None).differences(a_provenance(dataset_sha256=None)) == (
        "dataset: not known on either side",
    )
