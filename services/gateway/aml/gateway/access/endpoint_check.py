"""What a participant's endpoints and key must look like before anything is stored."""

from collections.abc import Collection

import obstore.exceptions

from aml.contracts.participant import AuthScheme, CallLimits, ParticipantTarget
from aml.gateway.errors import FieldsInvalid, Unavailable
from aml.runtime.participant.add_status import check_template
from aml.runtime.participant.address_guard import check_url
from aml.runtime.participant.errors import AddressRefused
from aml.runtime.secret import Secret, SecretError
from aml.runtime.vault import KeyDeposit

from .bodies import Endpoints

WEB: tuple[str, ...] = ("http", "https")


def endpoint_problems(
    endpoints: Endpoints | ParticipantTarget,
    *,
    schemes: Collection[str],
    allow_private: bool,
    ports: Collection[int] = (),
) -> dict[str, str]:
    """Field to problem. Names are judged as written; what they resolve to is judged again at every connection.

    `ports` are the release's, empty for any; they do not bind where private addresses are allowed.
    """
    problems = {}
    allowed_ports = None if allow_private else ports or None
    for field in ("add_url", "search_url", "health_url", "add_status_url"):
        url = getattr(endpoints, field)
        if url is None:
            continue
        try:
            plain = check_template(url) if field == "add_status_url" else url
            check_url(plain, schemes=schemes, allow_private=allow_private, ports=allowed_ports)
        except AddressRefused as error:
            problems[f"endpoints.{field}"] = f"{error.problem}; {error.advice}"
    return problems


def key_problems(auth: AuthScheme, key: str | None) -> dict[str, str]:
    if auth == "none":
        return (
            {} if key is None else {"memory_system_key": "is given, but auth is none; choose the scheme it goes with"}
        )
    if key is None:
        return {"memory_system_key": f"is missing; the scheme {auth} needs one"}
    try:
        Secret(key)
    except SecretError as error:
        return {"memory_system_key": str(error)}
    return {}


def require(problems: dict[str, str]) -> None:
    """Raises `FieldsInvalid` where there is a problem."""
    if problems:
        raise FieldsInvalid(problems)


async def seal_key(vault: KeyDeposit, key: str | None) -> str | None:
    """The secret's id. Raises `Unavailable`."""
    if key is None:
        return None
    try:
        return await vault.seal(Secret(key))
    except (obstore.exceptions.BaseError, OSError):
        raise Unavailable("vault_unavailable", "the key cannot be sealed now, so nothing was stored") from None


def target_of(endpoints: Endpoints, auth: AuthScheme, secret_id: str | None) -> ParticipantTarget:
    """Limits are those of the release under which a job runs, set when it is created."""
    return ParticipantTarget(
        add_url=endpoints.add_url,
        search_url=endpoints.search_url,
        health_url=endpoints.health_url,
        add_status_url=endpoints.add_status_url,
        auth=auth,
        secret_id=secret_id,
        limits=CallLimits(),
    )
