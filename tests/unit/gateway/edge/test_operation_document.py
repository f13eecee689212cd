"""Every operation of the OpenAPI document says what it does, for whom, and shows each of its answers; the examples are true."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from aml.gateway.app import _API, make_app
from aml.gateway.bootstrap import make_parts
from aml.gateway.edge.examples import EXAMPLES
from aml.gateway.edge.operation_document import ROOMS
from aml.gateway.settings import GatewaySettings
from aml.runtime.settings import read_settings

METHODS = ("get", "post", "put", "patch", "delete")
HANDLERS = [handler.fn.__name__ for handler in _API]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("gateway")
    (folder / "kek").write_text("11" * 32)
    environment = {
        "AML_EVIDENCE_URL": f"file://{folder}/evidence",
        "AML_EVIDENCE_KEK_FILE": str(folder / "kek"),
        "AML_FILES_DATASETS": str(folder / "datasets"),
    }
    app = make_app(make_parts(read_settings(GatewaySettings, environment)))
    return dict(json.loads(json.dumps(app.openapi_schema.to_schema(), default=str)))


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation
        for item in document["paths"].values()
        for method, operation in item.items()
        if method in METHODS
    }


@pytest.fixture(scope="module")
def registry(document: dict[str, Any]) -> Registry[Any]:
    return Registry().with_resource("urn:api", DRAFT202012.create_resource(document))


def problems(registry: Registry[Any], media: dict[str, Any]) -> list[str]:
    """What the schema finds wrong with each of a medium's examples."""
    schema = json.loads(json.dumps(media["schema"]).replace('"#/', '"urn:api#/'))
    validator = Draft202012Validator(schema, registry=registry)
    return [
        f"{name} {error.json_path}: {error.message[:200]}"
        for name, example in media["examples"].items()
        for error in validator.iter_errors(example["value"])
    ]


def test_the_document_says_its_rules_and_its_rooms(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert "Idempotency-Key" in document["info"]["description"]
    assert {tag["name"] for tag in document["tags"]} == set(ROOMS)


def test_each_handler_is_one_operation(operations: dict[str, Any]) -> None:
    assert sorted(operations) == sorted(HANDLERS)
    assert len(operations) >= 50


@pytest.mark.parametrize("name", HANDLERS)
def test_an_operation_says_what_it_does_and_for_whom(operations: dict[str, Any], name: str) -> None:
    operation = operations[name]

    assert operation["summary"]
    assert operation["description"].endswith(".")
    assert len(operation["tags"]) == 1
    assert operation["tags"][0] in ROOMS
    assert [each["name"] for each in operation.get("parameters", ()) if not each.get("description")] == []


@pytest.mark.parametrize("name", HANDLERS)
def test_an_operation_that_takes_a_key_says_so(operations: dict[str, Any], name: str) -> None:
    operation = operations[name]

    assert ("401" in operation["responses"]) == bool(operation.get("security"))


@pytest.mark.parametrize("name", HANDLERS)
def test_a_request_has_an_example_that_keeps_to_its_schema(
    operations: dict[str, Any], registry: Registry[Any], name: str
) -> None:
    body = operations[name].get("requestBody")

    for media in body["content"].values() if body else ():
        assert media.get("examples"), "no example of its request"
        assert problems(registry, media) == []


@pytest.mark.parametrize("name", HANDLERS)
def test_each_answer_has_examples_that_keep_to_their_schema(
    operations: dict[str, Any], registry: Registry[Any], name: str
) -> None:
    for status, answer in operations[name]["responses"].items():
        assert answer["description"]
        assert status == "204" or answer["content"]
        for media in answer.get("content", {}).values():
            assert media.get("examples"), f"no example of {status}"
            assert problems(registry, media) == [], status


@pytest.mark.parametrize("name", HANDLERS)
def test_refusals_show_their_reasons(operations: dict[str, Any], name: str) -> None:
    for status, answer in operations[name]["responses"].items():
        if status >= "400":
            details = [
                example["value"]["detail"] for example in answer["content"]["application/json"]["examples"].values()
            ]
            assert all(detail["reason"] and detail["message"] for detail in details)
            assert status != "422" or all(detail["fields"] for detail in details)


def test_no_example_is_of_an_operation_that_is_gone() -> None:
    assert set(EXAMPLES) - set(HANDLERS) == set()


@pytest.mark.parametrize("name", HANDLERS)
def test_an_operation_that_reads_json_refuses_other_types(operations: dict[str, Any], name: str) -> None:
    reads_json = "application/json" in operations[name].get("requestBody", {"content": {}})["content"]

    assert ("415" in operations[name]["responses"]) == reads_json


def test_every_way_of_a_conflict_is_shown(operations: dict[str, Any]) -> None:
    conflicts = operations["cancel"]["responses"]["409"]["content"]["application/json"]["examples"]

    assert set(conflicts) == {"job_ended", "job_ended_2"}
