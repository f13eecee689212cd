"""`--agent MODULE:NAME|URL`: an object of the caller's own code, or a model behind an OpenAI-compatible endpoint."""

import importlib
import sys
from pathlib import Path
from typing import Any

from aml.toolkit.agents.openai_chat import OpenAIChatAgent

from .errors import WrongUsage


def choose_agent(
    text: str, *, folder: Path, model: str | None = None, api_key: str | None = None, option: str = "--agent"
) -> Any:
    """`folder` is where the module is looked for first. Raises `WrongUsage`."""
    if text.startswith(("http://", "https://")):
        if not model:
            advice = f"{text} needs --model, as its chat endpoint knows it; a memory with Add and Search is `aml run`'s"
            raise WrongUsage(option, advice)
        return OpenAIChatAgent(text, model, api_key=api_key)
    if model is not None:
        raise WrongUsage("--model", f"goes with an http:// or https:// address, and {text!r} is none")
    return load_object(text, folder=folder, option=option)


def load_object(text: str, *, folder: Path, option: str) -> Any:
    """Raises `WrongUsage`, also for whatever the module raises while it is imported."""
    name, colon, attribute = text.partition(":")
    if not colon or not name or not attribute:
        raise WrongUsage(option, f"{text!r} is neither MODULE:NAME nor an http:// or https:// address")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        found: Any = importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - the caller's code, which may raise anything
        raise WrongUsage(option, f"{name} cannot be imported ({type(error).__name__}: {error})") from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise WrongUsage(option, f"{name} has no {attribute!r}")
        found = getattr(found, part)
    return found
