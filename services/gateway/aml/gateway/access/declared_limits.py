"""What an applicant's timeouts mean for the calls of a job."""

import msgspec
from msgspec.structs import replace

from aml.contracts.participant import CallLimits
from aml.runtime.participant.narrower_limits import narrower

from .bodies import AccessApplication


def limits_of(release: CallLimits, application: bytes | None) -> CallLimits:
    """The release's, tightened by what was declared. One client makes both calls, so the longer of the two times counts."""
    if application is None:
        return release
    declared = msgspec.json.decode(application, type=AccessApplication).timeouts
    longest = float(max(declared.add_seconds, declared.search_seconds))
    return narrower(release, replace(release, first_byte_seconds=longest, total_seconds=longest))
