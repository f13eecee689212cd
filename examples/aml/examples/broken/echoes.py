"""Faults of what Add answers."""

import unicodedata
from typing import Any

from aml.examples.serve import Add

from .sound import Sound


class EchoInLowerCase(Sound):
    """Folds the case of the ids it returns."""

    def add_reply(self, add: Add) -> Any:
        reply = super().add_reply(add)
        return {name: value.lower() if isinstance(value, str) else value for name, value in reply.items()}


class EchoNormalised(Sound):
    """Returns ids in Unicode's composed form."""

    def add_reply(self, add: Add) -> Any:
        reply = super().add_reply(add)
        return {
            name: unicodedata.normalize("NFC", value) if isinstance(value, str) else value
            for name, value in reply.items()
        }


class EchoTrimmed(Sound):
    """Returns ids without the spaces at their edges."""

    def add_reply(self, add: Add) -> Any:
        reply = super().add_reply(add)
        return {name: value.strip() if isinstance(value, str) else value for name, value in reply.items()}


class NoEcho(Sound):
    """Says success and nothing else."""

    def add_reply(self, add: Add) -> Any:  # noqa: ARG002
        return {"success": True}


class SuccessAsText(Sound):
    """success is a string."""

    def add_reply(self, add: Add) -> Any:
        return super().add_reply(add) | {"success": "true"}


class Accepted(Sound):
    """Answers 202, as if a status URL were bound."""

    add_status = 202
