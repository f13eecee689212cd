"""Keys."""

from aml.gateway.keys.bodies import KeyOrder, KeyRevocation
from aml.gateway.keys.views import KeyEnded, KeyFile, KeyFiles, KeyShown, Me

from .invented import APPROVED_AT, FORMER_PREFIX, JOB_ID, KEY_ID, PARTICIPANT_KEY, REVIEWER_ID, STARTED_AT
from .route_example import KEY_REUSED, Conflict, RouteExample

_LAST = Conflict("last_operator", "this is the last operator's key; make another one before it goes")

EXAMPLES = {
    "read_me": RouteExample(
        answer=Me(
            key_id=KEY_ID,
            role="participant",
            label="Example Lab",
            prefix=FORMER_PREFIX,
            created_at=APPROVED_AT,
            rotations=1,
        ),
    ),
    "rotate_key": RouteExample(
        about="The new text is shown this once. The former one is refused from then on (401 `key_replaced`).",
        answer=KeyShown(key_id=KEY_ID, role="participant", key=PARTICIPANT_KEY),
    ),
    "revoke_own_key": RouteExample(
        about="There is no way back. Jobs of the key that are not over are cancelled.",
        request=KeyRevocation(reason="it was written into a public log"),
        answer=KeyEnded(key_id=KEY_ID, cancelled_jobs=(JOB_ID,)),
        conflicts=(_LAST,),
    ),
    "list_keys": RouteExample(
        answer=KeyFiles(
            keys=(
                KeyFile(
                    key_id=KEY_ID,
                    role="participant",
                    label="Example Lab",
                    prefix=FORMER_PREFIX,
                    created_at=APPROVED_AT,
                    first_used_at=STARTED_AT,
                    expires_at=None,
                    rotations=1,
                    revoked_at=None,
                    revoked_by=None,
                    revoked_reason=None,
                ),
            )
        ),
    ),
    "make_role_key": RouteExample(
        about="Shown this once: a replay with the same `Idempotency-Key` is told so and gets no key.",
        request=KeyOrder(role="reviewer", label="B. Reviewer"),
        answer=KeyShown(key_id=REVIEWER_ID, role="reviewer", key="aml_r_Vb8Kq2Ws6Xe4Rd1Tf7Yg3Uh9Ij5Ok0Pl"),
        conflicts=(
            Conflict(
                "shown_already",
                "this was created by the first request, which was shown the key; nothing was created again",
            ),
            KEY_REUSED,
        ),
        invalid=("expires_at", "is in the past"),
    ),
    "revoke_any_key": RouteExample(
        about="There is no way back. A participant's jobs that are not over are cancelled.",
        request=KeyRevocation(reason="its holder left"),
        answer=KeyEnded(key_id=KEY_ID, cancelled_jobs=()),
        conflicts=(Conflict("already_revoked", "this key is revoked already"), _LAST),
    ),
}
