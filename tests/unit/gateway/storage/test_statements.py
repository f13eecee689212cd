from sqlalchemy import Text, func, select, update

from aml.gateway.jobs.job_queries import ACTIVE
from aml.gateway.storage.statements import compiled, given
from aml.gateway.storage.tables import job


def test_what_is_given_stays_open_and_what_is_written_is_a_constant() -> None:
    statement = (
        update(job)
        .values(state="cancelled", ended_at=func.now())
        .where(job.c.job_id == given("job_id"), job.c.state.in_(ACTIVE))
    )

    ready = compiled(statement)

    assert "%(job_id)s" in ready.sql.decode()
    assert "job_id" not in ready.constants
    assert sorted(ready.constants.values()) == ["cancelled", "queued", "running"]
    assert all(f"%({name})s" in ready.sql.decode() for name in ready.constants)


def test_a_filter_that_may_be_absent_names_its_type_for_postgres() -> None:
    key_id = given("key_id", Text())

    ready = compiled(select(job.c.job_id).where(key_id.is_(None) | (job.c.key_id == key_id)))

    assert "%(key_id)s::VARCHAR IS NULL" in ready.sql.decode()
    assert ready.constants == {}


def test_one_statement_is_compiled_once() -> None:
    statement = select(job.c.job_id)

    assert compiled(statement) is compiled(statement)
