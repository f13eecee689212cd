"""`--json FILE` and its like: found out to be writable before anything starts, and written as a whole at the end."""

import os
from pathlib import Path
from typing import Any

import msgspec

from aml.toolkit.evaluation.errors import WrongUsage

from .boundary import CommandFailed


def check_output(option: str, path: Path | None) -> None:
    """Raises `WrongUsage`: an evaluation of an hour should not end at a folder that is not there."""
    if path is None:
        return
    if path.is_dir():
        raise WrongUsage(option, f"{path} is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise WrongUsage(option, f"the folder {path.absolute().parent} does not exist; make it first")
    if not os.access(path.absolute().parent, os.W_OK):
        raise WrongUsage(option, f"the folder {path.absolute().parent} cannot be written to; choose another")


def write_json(path: Path | None, outcome: Any) -> None:
    if path is not None:
        write_whole(path, msgspec.json.format(msgspec.json.encode(outcome, enc_hook=str), indent=2) + b"\n")


def write_whole(path: Path, data: bytes) -> None:
    """The file appears whole or not at all. Raises `CommandFailed`."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        raise CommandFailed(f"{path} could not be written ({error.strerror}); the result above stands") from None
