"""The options that every command with an agent takes: whose agent, how hard it is called, and where it all runs."""

import os
from pathlib import Path
from typing import Annotated, Any, Final, TypedDict

import typer

from aml.toolkit.evaluation.auth_choice import AuthChoice, read_key
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.progress import ProgressView
from aml.toolkit.suite_run.run_progress import OnProgress, RunProgress

_STACK: Final = "Stack"

OPERATOR_KEY_ENV: Final = "AML_OPERATOR_KEY"


def option(name: str, panel: str, told: str, **more: Any) -> Any:
    return typer.Option(name, help=told, rich_help_panel=panel, **more)


AgentGiven = Annotated[
    str, typer.Option("--agent", metavar="MODULE:NAME|URL", help="Your object, or an OpenAI-compatible base URL.")
]
Model = Annotated[str | None, typer.Option("--model", help="With a URL: the model's name there.")]
KeyEnv = Annotated[
    str | None, typer.Option("--key-env", metavar="ENV_NAME", help="With a URL: the variable that holds its key.")
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, max=256, help="Questions at a time, where the agent can.")
]
AnswerSeconds = Annotated[float | None, typer.Option("--answer-seconds", min=0.001, help="For one call to the agent.")]
Keep = Annotated[bool, typer.Option("--keep", help="Leave the local stack running.")]
StackUrl = Annotated[str | None, option("--stack", _STACK, "A running platform.", metavar="URL")]
OperatorKeyEnv = Annotated[str, option("--operator-key-env", _STACK, "With --stack.", metavar="ENV_NAME")]
Datasets = Annotated[Path | None, option("--datasets", _STACK, "With --stack: its datasets folder.", metavar="DIR")]


class Place(TypedDict, total=False):
    """The keywords that say where a run happens: `home` alone, or the other three."""

    home: Path
    stack: str
    operator_key: str | None
    datasets: Path | None


def place_of(stack: str | None, operator_key_env: str, datasets: Path | None, home: Path) -> Place:
    """Raises `WrongUsage` where the operator's key is not there."""
    if stack is None:
        return Place(home=home)
    return Place(stack=stack, operator_key=key_named("--operator-key-env", operator_key_env), datasets=datasets)


def key_named(name: str, variable: str | None) -> str | None:
    """Raises `WrongUsage` of the option `name` where the variable holds no key."""
    try:
        secret = read_key(AuthChoice(scheme="bearer", variable=variable), os.environ)  # noqa: TID251 - its only way in
    except WrongUsage as error:
        raise WrongUsage(name, error.problem) from None
    return None if secret is None else secret.reveal()


def told_to(view: ProgressView, task: str, repeats: int = 1) -> OnProgress:
    def show(now: RunProgress) -> None:
        named = task if repeats == 1 else f"{task} {now.repeat + 1}/{repeats}"
        view.show(named, now.stage, now.done, now.total, f"{now.unscored:,} unscored" if now.unscored else "")

    return show
