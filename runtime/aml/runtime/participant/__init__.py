"""Calling participants: one client, its errors and outcomes, and the pure rules behind it."""

from aml.contracts.participant import Attempt

from .address_guard import Target, check_url, is_public
from .client import ParticipantClient
from .errors import (
    AddressRefused,
    AuthenticationRefused,
    EchoMismatched,
    HttpRefused,
    JsonInvalid,
    LimitExceeded,
    MediaRefused,
    ParticipantError,
    RequestRefused,
    SchemaViolated,
    TlsFailed,
    TransportFailed,
)
from .outcomes import AddOutcome, HealthOutcome, SearchOutcome

__all__ = [
    "AddOutcome",
    "AddressRefused",
    "Attempt",
    "AuthenticationRefused",
    "EchoMismatched",
    "HealthOutcome",
    "HttpRefused",
    "JsonInvalid",
    "LimitExceeded",
    "MediaRefused",
    "ParticipantClient",
    "ParticipantError",
    "RequestRefused",
    "SchemaViolated",
    "SearchOutcome",
    "Target",
    "TlsFailed",
    "TransportFailed",
    "check_url",
    "is_public",
]
