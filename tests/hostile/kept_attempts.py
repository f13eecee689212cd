"""The attempts behind a fact, read from a stack's evidence as an auditor with its keys would."""

from typing import Any

from tests.e2e.running_stack import RunningStack

from aml.contracts.participant import AttemptLog
from aml.rules.identity import event_id
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey


async def attempts_of(stack: RunningStack, fact: Any) -> AttemptLog:
    layout = stack.stack.layout
    store = EvidenceStore(
        object_store(layout.evidence.as_uri()), KeyEncryptionKey(bytes.fromhex(layout.kek_file.read_text()))
    )
    assert fact.attempt_log is not None
    return await store.open_json(fact.job_id, event_id(fact), fact.attempt_log, AttemptLog)
