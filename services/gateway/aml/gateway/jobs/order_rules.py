"""What a participant's order may ask for, given the version and the release, and what it comes to. Pure."""

import msgspec

from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import Release
from aml.gateway.access.endpoint_check import endpoint_problems
from aml.gateway.access.version_queries import VersionRow
from aml.runtime.release_folder import LoadedRelease

from .bodies import Checklist, JobOrder
from .run_label import label_key, tidy_label
from .submit_job import Submission, pins_of


def order_problems(
    order: JobOrder, version: VersionRow, release: LoadedRelease, *, allow_private: bool
) -> dict[str, str]:
    """Field to problem: what the version, the release or the checklist does not allow."""
    rules = release.release
    problems = {}
    if rules.track != version.track:
        problems["release_id"] = f"is for the track {rules.track}; this version is bound to {version.track}"
    if not label_key(order.run_label):
        problems["run_label"] = "shows nothing; write something that can be read"
    for field, asked, declared, most in (
        ("add_concurrency", order.add_concurrency, version.max_add_concurrency, rules.max_add_concurrency),
        ("search_concurrency", order.search_concurrency, version.max_search_concurrency, rules.max_search_concurrency),
    ):
        if asked is not None and asked > min(declared, most):
            problems[field] = f"is {asked}; this version declared {declared} and the release allows {most}"
    if order.mode == "full":
        ticked = msgspec.structs.asdict(order.checklist) if order.checklist else {}
        if missing := [name for name in Checklist.__struct_fields__ if not ticked.get(name)]:
            problems["checklist"] = f"confirm {', '.join(missing)} before a full run"
    return problems | target_problems(order.mode, version, rules, allow_private=allow_private)


def target_problems(mode: str, version: VersionRow, rules: Release, *, allow_private: bool) -> dict[str, str]:
    """What the version's endpoints are not good enough for."""
    problems = {}
    assert version.target is not None
    target = msgspec.json.decode(version.target, type=ParticipantTarget)
    if mode == "full" and rules.comparable and target.auth == "none":
        problems["version_id"] = "has no authentication, which is for smoke runs; bind a version with a key"
    return problems | endpoint_problems(
        target,
        schemes=rules.allowed_schemes,
        allow_private=allow_private and rules.allow_private,
        ports=rules.allowed_ports,
    )


def submission_of(
    order: JobOrder, version: VersionRow, release: LoadedRelease, *, allow_private: bool, resumes: str | None = None
) -> Submission:
    rules = release.release
    return Submission(
        version=version,
        mode=order.mode,
        run_label=tidy_label(order.run_label),
        resumes=resumes,
        release=release,
        datasets=pins_of(rules.datasets if order.mode == "full" else rules.smoke_datasets),
        add_concurrency=order.add_concurrency or min(version.max_add_concurrency, rules.max_add_concurrency),
        search_concurrency=order.search_concurrency
        or min(version.max_search_concurrency, rules.max_search_concurrency),
        allow_private=allow_private and rules.allow_private,
    )
