"""How a reader checks a run that the report shows: the commands, as they are typed on the machine that has the stack."""

import re
from collections.abc import Iterable
from typing import Final

_JOB: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def verify_commands(job_ids: Iterable[str]) -> str:
    """Lines; empty without a job. An id that a shell would not take for one word is left out: nobody should paste it."""
    jobs = [job_id for job_id in dict.fromkeys(job_ids) if _JOB.fullmatch(job_id)]
    if not jobs:
        return ""
    named = " ".join(f"--job {job_id}" for job_id in jobs)
    return "\n".join(
        (
            "aml audit key > log.key",
            f"aml audit export {named} --open --out run.zip",
            "aml audit verify run.zip --key log.key",
        )
    )
