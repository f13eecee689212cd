"""The six services as processes of one machine: the command and the environment of each. Pure.

A service gets the variables that its settings read and no others: the judge's model keys are not in the ledger's
environment, and the broker's token is only ever named as a file.
"""

import sys
from collections.abc import Mapping

from .home import Layout
from .orphans import MARK
from .ports import HOST
from .process_plan import HttpReady, ProcessPlan
from .state import Addresses

LOG_ORIGIN = "aml.local/log"
"""Name of the local ledger in its checkpoints and in the verifier key."""

SYSTEM = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
"""Of the caller's environment, what any process needs."""

PROXIES = tuple(
    spelled for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY") for spelled in (name, name.lower())
)
"""For the one service that may call the outside world at the user's expense."""

_EVERY = (
    *("AML_NATS_URL", "AML_NATS_TOKEN_FILE", "AML_NATS_REPLICAS"),
    *("AML_LOG_LEVEL", "AML_LOG_FORMAT", "AML_HTTP_HOST", "AML_HTTP_PORT", "AML_FILES_RELEASES"),
)
_DATABASE = ("AML_DATABASE_URL", "AML_DATABASE_PASSWORD_FILE")
_EVIDENCE = ("AML_EVIDENCE_URL", "AML_EVIDENCE_KEK_FILE")

READS: dict[str, tuple[str, ...]] = {
    "ledger": (
        *(*_EVERY, *_DATABASE, "AML_FILES_DATASETS", "AML_SIGNER_KEY_FILE", "AML_SIGNER_ORIGIN"),
        *("AML_APPEND_BATCH_EVENTS", "AML_APPEND_GATHER_MS", "AML_APPEND_STALL_SECONDS"),
        *("AML_LOG_STORE_URL", "AML_LOG_STORE_INTERVAL_MS", "AML_WITNESS_POLICY_FILE"),
    ),
    "ingest": (*_EVERY, *_EVIDENCE, "AML_FILES_DATASETS", "AML_NETWORK_ALLOW_PRIVATE"),
    "retrieval": (*_EVERY, *_EVIDENCE, "AML_NETWORK_ALLOW_PRIVATE"),
    "judge": (
        *(*_EVERY, *_EVIDENCE, "AML_OPENAI_BASE_URL", "AML_OPENAI_API_KEYS_FILE"),
        *("AML_ANSWER_CONCURRENCY", "AML_SCORING_CONCURRENCY"),
    ),
    "publisher": (
        *(*_EVERY, "AML_LEDGER_URL", "AML_LEDGER_VERIFIER_FILE", "AML_LEDGER_POLICY_FILE", "AML_BOARD_FOLDER"),
        *("AML_BOARD_URL", "AML_FILES_CYCLES"),
    ),
    "gateway": (
        *(*_EVERY, *_DATABASE, *_EVIDENCE, "AML_FILES_DATASETS", "AML_LEDGER_URL", "AML_BOARD_FOLDER"),
        *("AML_OPERATOR_KEY_FILE", "AML_NETWORK_ALLOW_PRIVATE", "AML_RELEASE_DEFAULT", "AML_RETENTION_DAYS"),
        *("AML_RATE_KEY_PER_SECOND", "AML_RATE_KEY_BURST", "AML_RATE_ADDRESS_PER_SECOND", "AML_RATE_ADDRESS_BURST"),
        "AML_RATE_PROXIES",
        *("AML_DONATIONS_FOLDER", "AML_DONATIONS_MAX_BYTES", "AML_DONATIONS_TOTAL_BYTES", "AML_FILES_CYCLES"),
        *("AML_INTAKE_CHECKS_PER_MINUTE", "AML_INTAKE_STRANGERS_PER_DAY"),
    ),
}
"""Each service's variables. Written out, because importing the services' settings would cost `aml up` half a second;
a test holds this against them, name by name."""

SERVICES = tuple(READS)

ONE_CALLER = {"AML_RATE_KEY_PER_SECOND": "0", "AML_RATE_ADDRESS_PER_SECOND": "0"}
"""Every caller of this machine has one address, so there is nobody to protect from it, unless the user says otherwise."""


def base_environment(layout: Layout, environ: Mapping[str, str]) -> dict[str, str]:
    return {name: environ[name] for name in SYSTEM if name in environ} | {MARK: str(layout.home)}


def plan_service(
    name: str, layout: Layout, addresses: Addresses, ports: Mapping[str, int], environ: Mapping[str, str]
) -> ProcessPlan:
    decided = _decided(layout, addresses, ports) | {"AML_HTTP_HOST": HOST, "AML_HTTP_PORT": str(ports[name])}
    read = READS[name]
    environment = base_environment(layout, environ)
    if name == "judge":
        environment |= {key: environ[key] for key in PROXIES if key in environ}
    usual = {**ONE_CALLER, "AML_FILES_RELEASES": str(layout.releases)}
    environment |= {key: {**usual, **environ}[key] for key in read if key in usual or key in environ}
    environment |= {key: decided[key] for key in read if key in decided}
    return ProcessPlan(
        name=name,
        command=(sys.executable, "-P", "-m", f"aml.{name}"),  # -P: nothing in the caller's folder is imported
        module=f"aml.{name}",
        environment=environment,
        log_file=layout.log_file(name),
        port=ports[name],
        readiness=HttpReady(port=ports[name]),
    )


def portal_url(ports: Mapping[str, int]) -> str:
    """The gateway's base URL."""
    return _url(ports["gateway"])


def _decided(layout: Layout, addresses: Addresses, ports: Mapping[str, int]) -> dict[str, str]:
    """What this machine's stack says; anything else that a service reads is the user's to set."""
    values = {
        "AML_NATS_URL": addresses.nats_url,
        "AML_DATABASE_URL": addresses.database_url,
        "AML_EVIDENCE_URL": layout.evidence.as_uri(),
        "AML_EVIDENCE_KEK_FILE": str(layout.kek_file),
        "AML_FILES_DATASETS": str(layout.datasets),
        "AML_SIGNER_KEY_FILE": str(layout.signer_key_file),
        "AML_SIGNER_ORIGIN": LOG_ORIGIN,
        "AML_LOG_STORE_URL": layout.public_log.as_uri(),
        "AML_LEDGER_URL": _url(ports["ledger"]),
        "AML_LEDGER_VERIFIER_FILE": str(layout.verifier_file),
        "AML_BOARD_FOLDER": str(layout.board),
        "AML_DONATIONS_FOLDER": str(layout.donations),
        "AML_OPERATOR_KEY_FILE": str(layout.operator_key_file),
        # One machine: the participant is a process beside us, at an address that a public deployment refuses.
        "AML_NETWORK_ALLOW_PRIVATE": "true",
    }
    if addresses.nats_token_file is not None:
        values["AML_NATS_TOKEN_FILE"] = str(addresses.nats_token_file)
    if addresses.database_password_file is not None:
        values["AML_DATABASE_PASSWORD_FILE"] = str(addresses.database_password_file)
    return values


def _url(port: int) -> str:
    return f"http://{HOST}:{port}"
