"""The doctor's report of a smoke, as its owner reads it."""

from typing import Any, cast

import pytest
from obstore.store import MemoryStore
from tests.factories.doctor_reports import a_check_report, a_report
from tests.factories.events import JOB, an_event

from aml.contracts.doctor import ContractChecked
from aml.contracts.events import Event
from aml.gateway.errors import Unavailable, Unknown
from aml.gateway.results.contract_report import load_report
from aml.rules.identity import event_id, subject_of
from aml.runtime.evidence import EvidenceStore, EvidenceUnavailable
from aml.runtime.key_encryption import KeyEncryptionKey

EVIDENCE = EvidenceStore(MemoryStore(), KeyEncryptionKey(bytes(32)))


class FakeBus:
    def __init__(self, *events: Event) -> None:
        self._events = {subject_of(event): event for event in events}

    async def last_event(self, subject: str) -> Event | None:
        return self._events.get(subject)


async def test_the_whole_report_comes_out_of_the_evidence() -> None:
    report = a_report(a_check_report("add"), a_check_report("echo", "failed"))
    checked = an_event(ContractChecked)
    ref = await EVIDENCE.put_json(JOB, event_id(checked), report)
    bus: Any = FakeBus(an_event(ContractChecked, report=ref))
    assert await load_report(bus, EVIDENCE, JOB) == report


async def test_a_job_without_an_examination_has_no_report() -> None:
    with pytest.raises(Unknown):
        await load_report(cast("Any", FakeBus()), EVIDENCE, JOB)


async def test_evidence_that_is_away_is_said_to_come_back() -> None:
    class Away:
        async def open_json(self, *_: Any) -> Any:
            raise EvidenceUnavailable("evidence", "away")

    with pytest.raises(Unavailable):
        await load_report(cast("Any", FakeBus(an_event(ContractChecked))), cast("Any", Away()), JOB)
