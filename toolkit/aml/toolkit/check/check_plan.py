"""What is to be checked and how, from the words of a command line. Every wrong option is found here."""

import shlex
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import Release
from aml.contracts.vocabulary import Track
from aml.runtime.participant.add_status import check_template
from aml.runtime.participant.address_guard import check_url
from aml.runtime.participant.errors import AddressRefused
from aml.runtime.secret import Secret
from aml.toolkit.evaluation.auth_choice import choose_auth, read_key
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.system_choice import endpoints_at

WEB = ("http", "https")


class CheckPlan(Struct, frozen=True, kw_only=True):
    base_url: str
    target: ParticipantTarget
    key: Secret | None
    track: Track
    top_k: int
    add_concurrency: int
    search_concurrency: int
    timeout_seconds: float
    allow_private: bool
    restart: tuple[str, ...] | None


def plan_check(
    base_url: str,
    *,
    addresses: tuple[str | None, str | None, str | None],
    add_status_url: str | None,
    auth: str | None,
    environ: Mapping[str, str],
    track: Track,
    top_k: int,
    concurrency: tuple[int, int],
    timeout_seconds: float,
    allow_private: bool,
    restart_command: str | None,
) -> CheckPlan:
    """`addresses` are those of Add, Search and Health where they are not below the base URL. Raises `WrongUsage`."""
    if "?" in base_url or "#" in base_url:
        raise WrongUsage(
            "BASE_URL", "has a query or a fragment; give the address that /add and /search are appended to"
        )
    ends = endpoints_at(base_url)
    urls = [
        given or own for given, own in zip(addresses, (ends.add_url, ends.search_url, ends.health_url), strict=True)
    ]
    for option, given, url in zip(("--add-url", "--search-url", "--health-url"), addresses, urls, strict=True):
        _require_callable("BASE_URL" if given is None else option, url, allow_private=allow_private)
    if add_status_url is not None:
        try:
            harmless = check_template(add_status_url)
        except AddressRefused as error:
            raise WrongUsage("--add-status-url", f"{error.problem}; {error.advice}") from None
        _require_callable("--add-status-url", harmless, allow_private=allow_private)
    choice = choose_auth(auth or "none")
    return CheckPlan(
        base_url=base_url,
        target=ParticipantTarget(
            add_url=urls[0],
            search_url=urls[1],
            health_url=urls[2],
            add_status_url=add_status_url,
            auth=choice.scheme,
        ),
        key=read_key(choice, environ),
        track=track,
        top_k=top_k,
        add_concurrency=concurrency[0],
        search_concurrency=concurrency[1],
        timeout_seconds=timeout_seconds,
        allow_private=allow_private,
        restart=None if restart_command is None else _words(restart_command),
    )


def notes_of(plan: CheckPlan) -> tuple[str, ...]:
    """What a release would refuse by its defaults, though this check did not."""
    if plan.allow_private:
        return ()
    defaults = {each.name: each.default for each in msgspec.structs.fields(Release)}
    targets = [
        check_url(url, schemes=WEB, allow_private=False) for url in (plan.target.add_url, plan.target.search_url)
    ]
    schemes = sorted({target.scheme for target in targets} - set(defaults["allowed_schemes"]))
    ports = sorted({target.port for target in targets} - set(defaults["allowed_ports"]))
    return (
        *(f"note: releases refuse {scheme}: unless they say otherwise" for scheme in schemes),
        *(f"note: releases refuse port {port} unless they say otherwise" for port in ports),
    )


def _require_callable(option: str, url: str, *, allow_private: bool) -> None:
    refused = _refusal(url, allow_private=allow_private)
    if refused is None:
        return
    if not allow_private and _refusal(url, allow_private=True) is None:
        problem = f"{refused.problem}; for a server on this machine or network, add --allow-private"
        raise WrongUsage(option, problem)
    raise WrongUsage(option, f"{refused.problem}; {refused.advice}")


def _refusal(url: str, *, allow_private: bool) -> AddressRefused | None:
    try:
        check_url(url, schemes=WEB, allow_private=allow_private)
    except AddressRefused as error:
        return error
    return None


def _words(command: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise WrongUsage("--restart-command", f"cannot be split into words ({error}); check its quotes") from None
    if not words:
        raise WrongUsage("--restart-command", "is empty; give the command that restarts the server")
    return tuple(words)
