import re

from aml.ledger.database import migration_files


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [int(name.split("_")[0]) for name, _ in migration_files()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(re.fullmatch(r"\d{4}_[a-z_]+\.sql", name) for name, _ in migration_files())
