"""The application is built without opening anything, and its OpenAPI document covers every route of the API."""

from pathlib import Path

import pytest
from litestar import Litestar

from aml.gateway.app import make_app
from aml.gateway.bootstrap import make_parts
from aml.gateway.settings import GatewayFiles, GatewaySettings, OperatorSettings
from aml.runtime.settings import EvidenceSettings, SettingsError, read_settings


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "kek").write_text("11" * 32)
    return {
        "AML_EVIDENCE_URL": f"file://{tmp_path}/evidence",
        "AML_EVIDENCE_KEK_FILE": str(tmp_path / "kek"),
        "AML_FILES_DATASETS": str(tmp_path / "datasets"),
    }


@pytest.fixture
async def app(environment: dict[str, str]) -> Litestar:
    return make_app(make_parts(read_settings(GatewaySettings, environment)))


async def test_openapi_documents_every_route(app: Litestar) -> None:
    routes = {
        (method, route.path.replace(":str", "").replace(":int", ""))
        for route in app.routes
        for method in getattr(route, "methods", ())
        if route.path.startswith("/api/v1") and method != "OPTIONS"
    }

    documented = {
        (method.upper(), path)
        for path, item in app.openapi_schema.to_schema()["paths"].items()
        for method in item
        if method in {"get", "post", "put", "patch", "delete"}
    }

    assert routes == documented
    assert len(routes) >= 22


async def test_openapi_names_every_routes_refusals_in_their_one_form(app: Litestar) -> None:
    schema = app.openapi_schema.to_schema()
    refused = {
        (method, path): {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        for path, item in schema["paths"].items()
        for method, operation in item.items()
        if method in {"get", "post", "put", "patch", "delete"}
    }

    shapes = {
        answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for answers in refused.values()
        for answer in answers.values()
    }

    assert len(shapes) == 1
    assert schema["components"]["schemas"][shapes.pop()]["required"] == ["detail"]
    assert set(refused["post", "/api/v1/jobs"]) == {
        "400",
        "401",
        "403",
        "404",
        "409",
        "413",
        "415",
        "422",
        "429",
        "503",
    }
    assert set(refused["get", "/api/v1/jobs/{job_id}"]) == {"400", "401", "404", "422", "429", "503"}
    assert "403" in refused["post", "/api/v1/operator/runs"]
    assert "401" not in refused["get", "/api/v1/releases"]


async def test_error_pages_never_show_code(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITESTAR_DEBUG", "1")

    app = make_app(make_parts(read_settings(GatewaySettings, environment)))

    assert app.debug is False


async def test_a_missing_operator_key_file_is_a_settings_error(environment: dict[str, str], tmp_path: Path) -> None:
    settings = GatewaySettings(
        evidence=EvidenceSettings(url=environment["AML_EVIDENCE_URL"], kek_file=tmp_path / "kek"),
        files=GatewayFiles(datasets=tmp_path),
        operator=OperatorSettings(key_file=tmp_path / "absent"),
    )

    with pytest.raises(SettingsError, match="AML_OPERATOR_KEY_FILE"):
        make_parts(settings)
