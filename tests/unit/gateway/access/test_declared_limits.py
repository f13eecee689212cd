"""What an applicant's timeouts mean for the calls of a job."""

import msgspec
from tests.factories.applications import an_application

from aml.contracts.participant import CallLimits
from aml.gateway.access.declared_limits import limits_of

RELEASE = CallLimits(connect_seconds=10, first_byte_seconds=900, total_seconds=900, max_response_bytes=1000)


def stored(**timeouts: int) -> bytes:
    return msgspec.json.encode(an_application(timeouts=timeouts))


def test_the_longer_of_the_two_tightens_the_releases_limits() -> None:
    found = limits_of(RELEASE, stored(add_seconds=60, search_seconds=5))

    assert (found.first_byte_seconds, found.total_seconds) == (60.0, 60.0)
    assert (found.connect_seconds, found.max_response_bytes) == (10, 1000)


def test_nobody_gets_more_than_the_release_gives() -> None:
    assert limits_of(RELEASE, stored(add_seconds=1800)) == RELEASE
    assert limits_of(RELEASE, None) == RELEASE
