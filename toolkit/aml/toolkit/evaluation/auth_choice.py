"""`--auth SCHEME:NAME`: how the system's key is sent, and which environment variable holds it. Never the key itself."""

import re
from collections.abc import Mapping
from typing import Final, get_args

import msgspec
from msgspec import Struct

from aml.contracts.participant import AuthScheme
from aml.runtime.secret import Secret, SecretError

from .errors import WrongUsage

_SCHEMES: Final = tuple(scheme for scheme in get_args(AuthScheme) if scheme != "none")
_FORMS: Final = ", ".join([*(f"{scheme}:ENV_NAME" for scheme in _SCHEMES), "none"])
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")
"""Upper case only: what looks like anything else may be a key that was pasted here, and is never repeated."""


class AuthChoice(Struct, frozen=True, kw_only=True):
    scheme: AuthScheme
    variable: str | None = None


def choose_auth(text: str) -> AuthChoice:
    """Raises `WrongUsage`, which never quotes what was given."""
    if text == "none":
        return AuthChoice(scheme="none")
    scheme, colon, variable = text.partition(":")
    if not colon or scheme not in _SCHEMES:
        raise WrongUsage("--auth", f"must be one of {_FORMS}")
    if not _VARIABLE.fullmatch(variable):
        problem = (
            f"{scheme}: must be followed by the NAME of an environment variable (A-Z, 0-9, _), not by the key itself"
        )
        raise WrongUsage("--auth", problem)
    return AuthChoice(scheme=msgspec.convert(scheme, AuthScheme), variable=variable)


def read_key(choice: AuthChoice, environ: Mapping[str, str]) -> Secret | None:
    """Raises `WrongUsage` for a variable that is unset or holds what no header can carry."""
    if choice.variable is None:
        return None
    value = environ.get(choice.variable)
    if value is None:
        problem = f"the environment variable {choice.variable} is not set; export {choice.variable} with the key in it"
        raise WrongUsage("--auth", problem)
    try:
        return Secret(value)
    except SecretError as error:
        raise WrongUsage("--auth", f"the key in {choice.variable} {error.problem}; set it again without that") from None
