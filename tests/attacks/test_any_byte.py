"""No byte of what a bundle proves can be changed unseen, and no change makes the verifier stumble."""

import random

import pytest
from tests.factories.audited_logs import AuditedLog, a_published_log

from aml.rules.bundle_layout import MANIFEST, OPENINGS
from aml.rules.verify import BundleUnusable, verify_bundle
from aml.rules.verify.findings import AuditReport

POSITIONS = 60
DEEP = b"[" * 200_000


@pytest.fixture(scope="module")
def log() -> AuditedLog:
    return a_published_log()


def verdict(members: dict[str, bytes], log: AuditedLog) -> AuditReport | None:
    """None for what is no bundle any more. Any other exception fails the test."""
    try:
        return verify_bundle(members, log.keys)
    except BundleUnusable:
        return None


@pytest.mark.parametrize("scope", ["cycle", "job"])
def test_a_flipped_bit_anywhere_is_refused(log: AuditedLog, scope: str) -> None:
    members = log.bundle(scope)  # type: ignore[arg-type]
    chance = random.Random(20260731)
    for name, data in members.items():
        if name == MANIFEST:
            continue  # nothing in it is believed
        for at in chance.sample(range(len(data)), min(POSITIONS, len(data))):
            changed = bytearray(data)
            changed[at] ^= 1 << chance.randrange(8)
            report = verdict(members | {name: bytes(changed)}, log)
            assert report is None or not report.verified, f"{name}, byte {at}: {data[at]} to {changed[at]}"


@pytest.mark.parametrize("scope", ["cycle", "board", "job"])
def test_a_member_left_out_emptied_or_replaced_is_never_a_crash(log: AuditedLog, scope: str) -> None:
    members = log.bundle(scope)  # type: ignore[arg-type]
    for name in members:
        without = {other: data for other, data in members.items() if other != name}
        verdict(without, log)
        for data in (b"", b"{}", b"null", b"\xff\xfe", DEEP, b'{"event":' + DEEP, bytes(32)):
            report = verdict(members | {name: data}, log)
            opens_less = name.startswith(OPENINGS) and not data  # evidence may be destroyed; what is said then is less
            assert report is None or not report.verified or opens_less, (name, data[:20])


def test_a_manifest_can_promise_less_but_not_more(log: AuditedLog) -> None:
    """A bundle of the whole log, presented as one of a single job: what it then shows is named in the report."""
    members = log.bundle("cycle")
    assert verdict(members | {MANIFEST: members[MANIFEST].replace(b'"cycle"', b'"job"')}, log) is not None


def test_a_checkpoint_of_an_enormous_tree_costs_nothing(log: AuditedLog) -> None:
    members = log.bundle("cycle")
    huge = members["checkpoint"].replace(b"\n27\n", b"\n9000000000000000000\n")
    assert huge != members["checkpoint"]
    report = verdict(members | {"checkpoint": huge}, log)
    assert report is not None
    assert report.refusals[0].code == "signature_wrong"
