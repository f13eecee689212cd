"""The addresses over HTTP."""

import pytest
from litestar.di import Provide
from litestar.testing import TestClient, create_test_client

from aml.gateway.edge.http_errors import HANDLERS
from aml.gateway.portal.portal import Portal
from aml.gateway.portal.routes import read_asset, read_page


@pytest.fixture
def client(portal: Portal) -> TestClient:  # type: ignore[type-arg]
    return create_test_client(
        [read_page, read_asset],
        dependencies={"portal": Provide(lambda: portal, sync_to_thread=False)},
        exception_handlers=HANDLERS,
    )


def test_pages_and_assets(client: TestClient) -> None:  # type: ignore[type-arg]
    with client:
        for address in ("/", "/zh/", "/zh", "/docs", "/docs/", "/zh/api-guide"):
            page = client.get(address)
            assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        script = client.get("/assets/api.js")
        words = client.get("/assets/texts_zh.js")

    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert words.text.startswith("export default {")


@pytest.mark.parametrize("path", ["/assets/none.js", "/assets/%2e%2e/portal.py", "/assets/a/b.js", "/nothing"])
def test_nothing_else(client: TestClient, path: str) -> None:  # type: ignore[type-arg]
    with client:
        refused = client.get(path)

    assert refused.status_code == 404
    assert refused.json()["detail"]["reason"] in ("asset_unknown", "path_unknown")
