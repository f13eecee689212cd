"""What an application must say before it is stored. Pure: an application in, the problems of its fields out."""

import re
from typing import Final

from aml.runtime.participant.address_guard import check_url
from aml.runtime.participant.errors import AddressRefused

from .bodies import AccessApplication, Disclosure
from .endpoint_check import WEB, endpoint_problems, key_problems

_COMMIT: Final = re.compile(r"[0-9A-Fa-f]{7,64}")
_NONE_IS_AN_ANSWER: Final = "write `none` where there is nothing to name"


def application_problems(application: AccessApplication, *, allow_private: bool) -> dict[str, str]:
    problems = {
        name: "is missing; reviewers decide by it"
        for name in ("description", "run_instructions")
        if not getattr(application, name).strip()
    }
    if application.endpoints.health_url is None:
        problems["endpoints.health_url"] = "is missing; it answers a GET without a key with any 2xx"
    if not application.public_display_consent:
        problems["public_display_consent"] = "must be true: approved full results are shown in public"
    return (
        problems
        | disclosure_problems(application.disclosure, application.division)
        | endpoint_problems(application.endpoints, schemes=WEB, allow_private=allow_private)
        | key_problems(application.auth, application.memory_system_key)
    )


def disclosure_problems(disclosed: Disclosure, division: str) -> dict[str, str]:
    if division == "open_source":
        needed = {
            "repository": "name the public repository",
            "commit": "name the commit by its hash",
            "original_works": f"name the works that the method builds on; {_NONE_IS_AN_ANSWER}",
            "method_changes": f"say what was changed against them; {_NONE_IS_AN_ANSWER}",
        }
    else:
        needed = {
            "product_version": "name the fixed version",
            "operations_contact": "say whom the operators can reach during a run",
        }
    problems = {
        f"disclosure.{name}": f"is missing; {advice}"
        for name, advice in needed.items()
        if not (getattr(disclosed, name) or "").strip()
    }
    if disclosed.repository and "disclosure.repository" not in problems:
        try:
            # Shown as a link on the public board; nobody here calls it, so where it leads is not judged.
            check_url(disclosed.repository, schemes=WEB, allow_private=True)
        except AddressRefused as error:
            problems["disclosure.repository"] = f"is not a web address that can be linked: {error.problem}"
    if disclosed.commit and "disclosure.commit" not in problems and not _COMMIT.fullmatch(disclosed.commit.strip()):
        problems["disclosure.commit"] = "is not a commit's hash (7 to 64 hex digits); branches and tags can move"
    return problems
