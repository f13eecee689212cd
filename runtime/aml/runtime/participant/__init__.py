"""Calling participants: one client, its errors and outcomes, and the pure rules behind it."""

from .address_guard import Target, check_url, is_public
from .attempt import Attempt
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
    "SchemaViolated",
    "SearchOutcome",
    "Target",
    "TlsFailed",
    "TransportFailed",
    "check_url",
    "is_public",
]
