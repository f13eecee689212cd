from typing import Any

import pytest
from tests.factories.platform_views import a_failure, a_job

from aml.gateway.jobs.views import Counts
from aml.toolkit.client.job_conclusion import conclude_job
from aml.toolkit.evaluation.exit_decision import Conclusion

UNSCORED = Counts(planned=120, scored=119, correct=100, incorrect=19, graded=0, unscored=1)


@pytest.mark.parametrize(
    ("job", "ending", "said"),
    [
        ({"mode": "smoke", "done": 120}, Conclusion.PASSED, "all of 120"),  # the gate refuses each smoke, for its mode
        ({"mode": "full", "gate": "passed", "done": 120}, Conclusion.PASSED, "all of 120"),
        ({"mode": "full", "gate": "refused", "done": 120}, Conclusion.BELOW_THRESHOLD, "aml results"),
        ({"mode": "full", "gate": "refused", "counts": UNSCORED}, Conclusion.INCOMPLETE, "1 of 120"),
        ({"mode": "smoke", "state": "cancelled"}, Conclusion.INCOMPLETE, "cancelled"),
        ({"mode": "smoke", "state": "failed", "failure": a_failure()}, Conclusion.INCOMPLETE, "empty string"),
        ({"mode": "smoke", "state": "running", "stage": "answer"}, Conclusion.INCOMPLETE, "running in stage answer"),
    ],
)
def test_how_a_run_ended(job: dict[str, Any], ending: Conclusion, said: str) -> None:
    found = conclude_job(a_job(**job))

    assert found.conclusion is ending
    assert said in found.sentence
