"""The guides for builds and production, and the example's workflow, name the options and metrics that there are: all of them."""

import re
import shlex
from typing import Any, get_args

import pytest
import typer
import yaml
from prometheus_client import CollectorRegistry
from tests.architecture.source_tree import ROOT

from aml.toolkit.cli.whole_app import app
from aml.toolkit.health import HealthGauges, HealthStatus
from aml.toolkit.pytest_plugin.plugin import OPTIONS

CI = (ROOT / "docs/guide/ci.md").read_text("utf-8")
PRODUCTION = (ROOT / "docs/guide/production.md").read_text("utf-8")
WORKFLOW: dict[Any, Any] = yaml.safe_load(
    (ROOT / "examples/ci_project/.github/workflows/memory.yml").read_text("utf-8")
)
PLUGIN_OPTIONS = {name for name, _, _ in OPTIONS} | {"--aml-update-baseline"}


def suite_run_options() -> set[str]:
    command: Any = typer.main.get_command(app)
    return {option for each in command.commands["suite"].commands["run"].params for option in each.opts}


def steps() -> list[str]:
    return [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]


def test_the_guide_lists_every_option_of_the_plugin() -> None:
    assert set(re.findall(r"^\| `(--aml-[a-z-]+)", CI, re.MULTILINE)) == PLUGIN_OPTIONS


@pytest.mark.parametrize("step", [step for step in steps() if not step.startswith("pip")])
def test_the_workflow_uses_options_that_there_are(step: str) -> None:
    words = shlex.split(step)
    given = {word.split("=")[0] for word in words if word.startswith("--")}
    if words[0] == "pytest":
        assert {option for option in given if option.startswith("--aml")} <= PLUGIN_OPTIONS
        assert given - PLUGIN_OPTIONS == {"--junitxml"}
    else:
        assert words[:3] == ["aml", "suite", "run"]
        assert given <= suite_run_options()


def test_the_workflow_runs_both_ways() -> None:
    assert len([step for step in steps() if step.startswith(("pytest", "aml suite run"))]) == 2
    assert {"push", "pull_request", "schedule"} <= set(
        WORKFLOW.get("on") or WORKFLOW[True]
    )  # YAML 1.1 reads `on` as true


def test_the_scheduled_line_uses_options_that_there_are() -> None:
    (line,) = [line for line in PRODUCTION.splitlines() if "aml suite run" in line]
    given = set(re.findall(r"--[a-z-]+", line))
    assert len(given) > 3
    assert given <= suite_run_options()


def test_the_guide_lists_every_gauge_and_status() -> None:
    registry = CollectorRegistry()
    HealthGauges(registry)
    metrics = {metric.name for metric in registry.collect()}
    listed = {name.removesuffix("_total") for name in re.findall(r"aml_memory_health_[a-z_]+", PRODUCTION)}
    assert listed == metrics
    assert set(re.findall(r"^\| `([a-z]+)` \|", PRODUCTION, re.MULTILINE)) == set(get_args(HealthStatus))
