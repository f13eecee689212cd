"""Applications and versions."""

from aml.contracts.participant import AuthScheme
from aml.gateway.access.bodies import (
    AccessApplication,
    AccessApproval,
    AccessDecision,
    Capacity,
    Disclosure,
    EndpointRecheck,
    Endpoints,
    MemoryKeyOrder,
    RateLimits,
    Timeouts,
    VersionChange,
    Withdrawal,
)
from aml.gateway.access.views import (
    AccessCreated,
    AccessDecided,
    AccessFile,
    AccessFiles,
    AccessState,
    EndpointCheck,
    EndpointFinding,
    Version,
    Versions,
)
from aml.gateway.keys.views import KeyShown

from .invented import (
    ACCESS_ID,
    APPLIED_AT,
    APPROVED_AT,
    CLAIM_TOKEN,
    COMMIT,
    JOB_ID,
    KEY_ID,
    PARTICIPANT_KEY,
    VERSION_ID,
)
from .route_example import DAY_USED_UP, KEY_REUSED, Conflict, RouteExample, Wait

_BEARER: AuthScheme = "bearer"
_ENDPOINTS = Endpoints(
    add_url="https://memory.example.org/v1/add",
    search_url="https://memory.example.org/v1/search",
    health_url="https://memory.example.org/health",
)
_DISCLOSURE = Disclosure(
    repository="https://git.example.org/recall/recall",
    commit=COMMIT,
    original_works="none",
    authors="A. Example, B. Example",
    method_changes="none",
)
APPLICATION = AccessApplication(
    contact="Ada Example",
    organisation="Example Lab",
    system="Recall",
    version="2.1.0",
    track="textual",
    division="open_source",
    description="Keyword and vector search over episodes, merged by rank.",
    run_instructions="Needs half a minute after its start. At most 40 Searches a second.",
    endpoints=_ENDPOINTS,
    auth=_BEARER,
    memory_system_key="the-key-that-your-own-system-expects",
    capacity=Capacity(max_add_concurrency=8, max_search_concurrency=32),
    rate_limits=RateLimits(search_per_minute=2400),
    public_display_consent=True,
    disclosure=_DISCLOSURE,
)
CHECK = EndpointCheck(
    passed=True,
    checked_at=APPLIED_AT,
    findings=(
        EndpointFinding(name="reach", passed=True, detail="connected over TLS 1.3 in 24 ms"),
        EndpointFinding(name="health", passed=True, detail="200 in 12 ms"),
        EndpointFinding(name="right_key", passed=True, detail="the key was taken, and a wrong one was not"),
        EndpointFinding(name="add", passed=True, detail="200 in 180 ms, the three ids came back"),
        EndpointFinding(name="search", passed=True, detail="200 in 46 ms, the made-up record came first"),
    ),
)
_VERSION = Version(
    version_id=VERSION_ID,
    system="Recall",
    version="2.1.0",
    track="textual",
    division="open_source",
    created_at=APPROVED_AT,
    endpoints=_ENDPOINTS,
    auth=_BEARER,
    has_memory_system_key=True,
    max_add_concurrency=8,
    max_search_concurrency=32,
    timeouts=Timeouts(),
    rate_limits=RateLimits(search_per_minute=2400),
    description=APPLICATION.description,
    run_instructions=APPLICATION.run_instructions,
    disclosure=_DISCLOSURE,
    smoke_passed=True,
    frozen=False,
    frozen_by_job_id=None,
    active_job_id=None,
    withdrawn_at=None,
)
_DECIDED = Conflict("already_decided", "this request is approved already")
_FROZEN = Conflict("version_frozen", "a full run of this version was accepted; it stays as it is", {"job_id": JOB_ID})

EXAMPLES = {
    "request_access": RouteExample(
        about="Without a key this asks for a new one; with a participant's key it binds a further version to that key."
        " The endpoints are called once, with a made-up record and the key that came along, and `endpoint_check` says what"
        " was found. Keep the claim token: it is the applicant's only way back to the request.",
        request=APPLICATION,
        answer=AccessCreated(access_id=ACCESS_ID, state="submitted", claim_token=CLAIM_TOKEN, endpoint_check=CHECK),
        conflicts=(KEY_REUSED,),
        waits=(DAY_USED_UP,),
        invalid=("endpoints.add_url", "holds credentials; send the key as `memory_system_key`"),
    ),
    "read_access": RouteExample(
        about="`Authorization: Bearer` takes the claim token that the application was answered with.",
        answer=AccessState(
            access_id=ACCESS_ID,
            state="approved",
            created_at=APPLIED_AT,
            decided_at=APPROVED_AT,
            reason="everything is in place",
            version_id=VERSION_ID,
            key_claimable=True,
            endpoint_check=CHECK,
        ),
    ),
    "claim_key": RouteExample(
        about="Takes the claim token. Until the key was used for the first time it can be claimed again, should the answer"
        " have got lost; each claim replaces the former text.",
        answer=KeyShown(key_id=KEY_ID, role="participant", key=PARTICIPANT_KEY, version_id=VERSION_ID),
        conflicts=(
            Conflict("not_approved", "this request is submitted; a key is given after approval"),
            Conflict("claims_used_up", "100 keys were shown and none was used; ask the organisers"),
        ),
    ),
    "check_again": RouteExample(
        about="Takes the claim token, or a reviewer's or operator's key. The applicant may send the Memory System Key"
        " again where the first one was wrong.",
        request=EndpointRecheck(),
        answer=CHECK,
        conflicts=(_DECIDED,),
        waits=(
            Wait("check_running", "a check of these endpoints or from your address is running", 10),
            Wait("checks_used_up", "endpoints were checked as often as is possible in a minute", 12),
        ),
    ),
    "list_requests": RouteExample(
        answer=AccessFiles(
            requests=(
                AccessFile(
                    access_id=ACCESS_ID,
                    state="submitted",
                    created_at=APPLIED_AT,
                    application=AccessApplication(
                        contact=APPLICATION.contact,
                        organisation=APPLICATION.organisation,
                        system=APPLICATION.system,
                        version=APPLICATION.version,
                        track=APPLICATION.track,
                        division=APPLICATION.division,
                        endpoints=_ENDPOINTS,
                        auth=_BEARER,
                        public_display_consent=True,
                        disclosure=_DISCLOSURE,
                    ),
                    has_memory_system_key=True,
                    endpoint_check=CHECK,
                    for_key_id=None,
                    key_id=None,
                    version_id=None,
                    decided_by=None,
                    decided_at=None,
                    reason=None,
                    override_reason=None,
                ),
            )
        ),
    ),
    "approve": RouteExample(
        about="Issues a key that the applicant claims, or binds the version to the key that they applied with. Where the"
        " last check of the endpoints did not pass, `override_reason` says why it is approved all the same.",
        request=AccessApproval(reason="everything is in place"),
        answer=AccessDecided(access_id=ACCESS_ID, state="approved", key_id=KEY_ID, version_id=VERSION_ID),
        conflicts=(
            _DECIDED,
            Conflict(
                "endpoint_check_failed", "the last check of the endpoints did not pass; say why in `override_reason`"
            ),
        ),
        invalid=("key_expires_at", "is in the past"),
    ),
    "decline": RouteExample(
        request=AccessDecision(reason="the repository is private; open it and apply again"),
        answer=AccessDecided(access_id=ACCESS_ID, state="declined"),
        conflicts=(_DECIDED,),
        invalid=("reason", "is empty; the applicant reads it"),
    ),
    "read_versions": RouteExample(answer=Versions(versions=(_VERSION,))),
    "change_version": RouteExample(
        about="Possible until a full run of the version was accepted. Other endpoints need another smoke run, and on"
        " another host the Memory System Key again: the sealed one is never sent to a place it was not entered for.",
        request=VersionChange(run_instructions="Ready at once. At most 60 Searches a second."),
        answer=_VERSION,
        conflicts=(_FROZEN,),
        invalid=("memory_system_key", "is needed again: Add moves to another host"),
    ),
    "replace_key": RouteExample(
        about="Also possible for a frozen version. Jobs that start afterwards use the new key; the former one is destroyed"
        " with the last job that used it. Nobody can read either again.",
        request=MemoryKeyOrder(auth=_BEARER, memory_system_key="the-new-key-that-your-own-system-expects"),
        answer=_VERSION,
        conflicts=(_FROZEN,),
        invalid=("memory_system_key", "is missing; only `none` goes without one"),
    ),
    "withdraw": RouteExample(
        about="For good, and only until a full run of the version was accepted.",
        request=Withdrawal(reason="replaced by 2.2.0"),
        answer=Version(
            **{name: getattr(_VERSION, name) for name in Version.__struct_fields__ if name != "withdrawn_at"},
            withdrawn_at=APPROVED_AT,
        ),
        conflicts=(
            _FROZEN,
            Conflict("job_active", f"job {JOB_ID} of this version is active; cancel it first", {"job_id": JOB_ID}),
        ),
    ),
}
