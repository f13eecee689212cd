"""What the contract doctor found in a smoke: the whole report, for the job's own key, reviewers and operators.

Read from the stream and the evidence at each request: a smoke's report is looked at a few times and never listed.
"""

from litestar import get
from litestar.params import FromPath

from aml.contracts.doctor import ContractChecked, DoctorReport
from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import Unavailable, Unknown
from aml.gateway.jobs.job_access import visible_job
from aml.rules.identity import event_id, job_subject
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.evidence import EvidenceStore, EvidenceUnavailable


@get("/jobs/{job_id:str}/contract", summary="What the contract doctor found in a smoke", guards=[ANY_ROLE])
async def read_contract_report(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> DoctorReport:
    row = await visible_job(parts.database, caller, job_id)
    return await load_report(parts.bus, parts.evidence, row.job_id)


async def load_report(bus: Bus, evidence: EvidenceStore, job_id: str) -> DoctorReport:
    """Raises `Unknown` for a job that was not, or not yet, examined, and `Unavailable`."""
    try:
        checked = await bus.last_event(job_subject(job_id, ContractChecked))
        if not isinstance(checked, ContractChecked):
            raise Unknown("contract_report", job_id)
        return await evidence.open_json(job_id, event_id(checked), checked.report, DoctorReport)
    except (*TRANSIENT_BUS_ERRORS, EvidenceUnavailable):
        raise Unavailable("evidence_unavailable", "the report cannot be read now") from None
