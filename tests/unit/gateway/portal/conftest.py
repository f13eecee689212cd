"""A portal over the bundled data, a small board and a small OpenAPI document."""

import json
from pathlib import Path
from typing import Any

import pytest

from aml.gateway.portal.portal import Portal
from aml.gateway.public.releases import KnownReleases
from aml.runtime.cycle_folder import load_cycles

HOSTILE = '<script>alert(1)</script>\u202e"'


def document() -> dict[str, Any]:
    refusal = {
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
        "description": "no",
    }
    return {
        "paths": {
            "/api/v1/jobs": {
                "get": {
                    "summary": "Your jobs",
                    "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                    "responses": {"200": {"description": "ok"}, "401": refusal},
                },
                "post": {
                    "summary": "Start",
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}
                    },
                    "responses": {"201": {"description": "made"}, "401": refusal},
                },
            },
            "/api/v1/releases": {"get": {"summary": "Releases", "responses": {"200": {"description": "ok"}}}},
        },
        "components": {
            "schemas": {
                "Refusal": {"properties": {"detail": {"type": "object"}}, "required": ["detail"]},
                "Order": {"properties": {"mode": {"enum": ["smoke", "full"]}}, "required": ["mode"]},
            }
        },
    }


def write_board(folder: Path, version: str, system: str) -> None:
    place = folder / version
    place.mkdir(parents=True)
    (place / "boards.json").write_text(
        '{"boards":[{"board_id":"textual-x","title":"X","track":"textual","comparable":true,"rows":1}]}'
    )
    rows = [
        {
            "job_id": job_id,
            "subject": {"system": name, "version": "1", "division": division},
            "overall": 500_000,
            "interval": {"low": 400_000, "high": 610_000},
        }
        for job_id, name, division in (("job-0", "Oracle", "baseline"), ("job-1", system, "open_source"))
    ]
    (place / "textual-x.json").write_text(json.dumps({"rows": rows}))
    link = folder / "current"
    link.unlink(missing_ok=True)
    link.symlink_to(version)


@pytest.fixture
def board_folder(tmp_path: Path) -> Path:
    return tmp_path / "board"


@pytest.fixture
def portal(board_folder: Path) -> Portal:
    return Portal(
        releases=KnownReleases.read(None, "practice"),
        cycles=load_cycles(),
        board_folder=board_folder,
        document=document,
    )
