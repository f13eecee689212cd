"""The OpenAPI document is true: whatever it allows, and much that it does not, is answered as it says and never with a 5xx."""

import asyncio
import contextlib
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.integration.gateway.callers import admitted, bearer, reviewer_key
from tests.integration.gateway.gateway_process import Running

EXAMPLES = 12

NO_LEDGER = r"/log/"
"""No ledger runs beside this gateway, so these say 503, as they should; `tests/e2e` calls them on a whole stack."""

ENDS_THE_KEY = r"/me/key/|/operator/keys/\{key_id\}/revoke"
"""Would end the run's own key: `test_keys` calls them."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="session")
def document(gateway: Running) -> Any:
    loaded = schemathesis.openapi.from_url(f"{gateway.url}/api/openapi.json")
    return loaded.exclude(path_regex=f"{NO_LEDGER}|{ENDS_THE_KEY}")


def callers_key(role: str, gateway: Running) -> dict[str, str]:
    async def make() -> dict[str, str]:
        async with httpx.AsyncClient(base_url=f"{gateway.url}/api/v1", timeout=15) as api:
            if role == "participant":
                return bearer((await admitted(api, gateway)).key)
            return bearer(await reviewer_key(api, gateway))

    if role == "nobody":
        return {}
    return bearer(gateway.operator_key) if role == "operator" else asyncio.run(make())


@pytest.mark.timeout(300)
@pytest.mark.parametrize("role", ["nobody", "participant", "reviewer", "operator"])
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["allowed", "not-allowed"])
def test_no_answer_is_undocumented_or_a_server_error(
    document: Any, gateway: Running, role: str, mode: GenerationMode
) -> None:
    headers, called = callers_key(role, gateway), 0
    with requests.Session() as session:
        for found in document.get_all_operations():
            operation = found.ok()

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                derandomize=True,
                phases=(Phase.explicit, Phase.generate),
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def call(case: Any) -> None:
                case.call_and_validate(session=session, headers=headers, checks=CHECKS, timeout=10)

            with contextlib.suppress(
                Unsatisfiable
            ):  # a route that takes nothing, or any text: nothing of it can be wrong
                call()
                called += 1
    assert called >= 10
