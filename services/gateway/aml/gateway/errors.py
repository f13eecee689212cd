"""What the gateway refuses, and why. Nothing here knows HTTP; `http_errors.py` gives each class its status.

    Refused
    ├── Unauthenticated         no key, or one that is unknown or revoked
    ├── RoleMissing             a good key of another role
    ├── Unknown                 no such request, version, job or release for this caller
    ├── FieldsInvalid           fields that are well-formed and still cannot be
    ├── StateConflict           the thing is not in a state for it, or the name is taken
    ├── MustWait                it was asked for too often, or is under way; possible again in a moment
    ├── QuotaRefused            (from `aml.rules.quota.QuotaExceeded`)
    ├── MediaTypeUnknown        a body that says it is something else than JSON
    ├── TooLarge                more bytes than this path takes
    ├── TooSlow                 a sender that stood still
    └── Unavailable             something that the gateway needs is away; the same call may succeed later

`reason` is a stable snake_case code for programs, the message is for people and says what to do.
"""

import math
from datetime import UTC, datetime

from aml.rules.quota import QuotaExceeded


class Refused(Exception):
    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message

    @property
    def more(self) -> dict[str, object]:
        """Further members of the answer's `detail`."""
        return {}


class Unauthenticated(Refused):
    def __init__(self, reason: str = "key_missing") -> None:
        messages = {
            "key_missing": "send your key as `Authorization: Bearer <key>`",
            "key_unknown": "this key is unknown; check that it was copied whole",
            "key_revoked": "this key was revoked; ask its owner or the organisers for another one",
            "key_expired": "this key's time is over; ask the organisers for another one",
            "key_replaced": "this key was rotated and its former text is dead; use the one that was shown then",
            "claim_token_unknown": "this claim token does not belong to this request; use the one returned on creation",
        }
        super().__init__(reason, messages[reason])


class RoleMissing(Refused):
    def __init__(self, needed: tuple[str, ...], role: str) -> None:
        super().__init__("role_missing", f"this needs a key of role {' or '.join(needed)}; yours is {role}")


class OwnSystem(Refused):
    def __init__(self) -> None:
        super().__init__("own_system", "nobody reviews their own system; ask another reviewer")


class Unknown(Refused):
    def __init__(self, what: str, name: str) -> None:
        shown = what.replace("_", " ")
        super().__init__(f"{what}_unknown", f"there is no {shown} {name[:80]!r} that you may see; check the id")


class FieldsInvalid(Refused):
    """`fields` maps a field's path to what is wrong with it."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("fields_invalid", "correct the fields that are listed and send the request again")
        self.fields = fields

    @property
    def more(self) -> dict[str, object]:
        return {"fields": [{"field": name, "problem": problem} for name, problem in self.fields.items()]}


class StateConflict(Refused):
    def __init__(self, reason: str, message: str, **more: object) -> None:
        super().__init__(reason, message)
        self._more = more

    @property
    def more(self) -> dict[str, object]:
        return self._more


class MustWait(Refused):
    def __init__(self, reason: str, problem: str, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(reason, f"{problem}; try again in {self.seconds} s")


class QuotaRefused(Refused):
    def __init__(self, exceeded: QuotaExceeded) -> None:
        at = exceeded.available_at
        self.available_at = None if at is None else datetime.fromtimestamp(at / 1000, UTC)
        when = (
            "none is left under this release"
            if self.available_at is None
            else f"the next is possible at {self.available_at:%Y-%m-%dT%H:%M:%SZ}"
        )
        super().__init__("quota_exceeded", f"{exceeded}; {when}")
        self._exceeded = exceeded

    @property
    def more(self) -> dict[str, object]:
        exceeded = self._exceeded
        return {
            "mode": exceeded.mode,
            "used": exceeded.used,
            "limit": exceeded.limit,
            "available_at": None if self.available_at is None else f"{self.available_at:%Y-%m-%dT%H:%M:%SZ}",
        }


class MediaTypeUnknown(Refused):
    def __init__(self) -> None:
        super().__init__("media_type_unknown", "send the body as application/json")


class TooLarge(Refused):
    pass


class TooSlow(Refused):
    pass


class Unavailable(Refused):
    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, f"{message}; try again in a moment")
