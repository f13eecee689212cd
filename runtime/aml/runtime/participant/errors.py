"""Why a call to a participant failed. One tree; each layer of the call has its class.

    ParticipantError
    ├── AddressRefused          address          the URL or what its name resolves to
    ├── TransportFailed         transport        connecting, sending, reading, deadlines
    ├── TlsFailed               tls              certificate or handshake
    ├── HttpRefused             http             no HTTP, or a status or header that is not allowed
    ├── AuthenticationRefused   authentication   401 and 403
    ├── LimitExceeded           limit            bytes, items, depth
    ├── JsonInvalid             json             not strict JSON
    ├── SchemaViolated          schema           JSON of the wrong shape
    ├── EchoMismatched          echo             ids not returned byte for byte
    ├── MediaRefused            media            an image part
    └── RequestRefused          request          what the platform was about to send; nobody was called

Pure checks raise them with what they know; the client adds the call. The message is one line: what was wrong, where, what to do.
"""

from typing import ClassVar, Literal

from aml.contracts.participant import Attempt
from aml.contracts.vocabulary import UnscoredReason

Layer = Literal[
    "address", "transport", "tls", "http", "authentication", "limit", "json", "schema", "echo", "media", "request"
]  # fmt: skip

Call = Literal["add", "search", "health"]


def calls_in(attempts: tuple[Attempt, ...]) -> int:
    return sum(not attempt.poll for attempt in attempts)


class ParticipantError(Exception):
    """Fields, all bounded and free of secrets; `attempts` holds every attempt of the call, this failure's last."""

    layer: ClassVar[Layer]
    unscored_reason: UnscoredReason = "contract"
    default_advice: ClassVar[str]

    def __init__(
        self,
        problem: str,
        *,
        path: str | None = None,
        offset: int | None = None,
        advice: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path
        """JSON path into the response, as `$.data[3].id`."""
        self.offset = offset
        """Byte in the response."""
        self.advice = advice or self.default_advice
        self.retryable = retryable
        """Another attempt may mend it. The in-call attempts are used up: requeue the unit. Where False: stop the stage."""
        self.retry_after = retry_after
        """Seconds that the participant asked for, unclamped."""
        self.call: Call | None = None
        self.status: int | None = None
        self.attempt: int | None = None
        self.request_id: str | None = None
        self.excerpt = ""
        """The first bytes of the response's body, printable."""
        self.attempts: tuple[Attempt, ...] = ()

    @property
    def calls(self) -> int:
        """How often Add or Search was sent; questions after a 202 do not count."""
        return calls_in(self.attempts)

    def __str__(self) -> str:
        place = f" at {self.path}" if self.path else ""
        facts = [
            f"layer {self.layer}",
            *([f"byte {self.offset}"] if self.offset is not None else []),
            *([f"status {self.status}"] if self.status is not None else []),
            *([f"attempt {self.attempt}"] if self.attempt is not None else []),
            *([f"request {_printable(self.request_id)}"] if self.request_id else []),
        ]
        subject = f"{self.call.capitalize()}: " if self.call else ""
        shown = f' The body began: "{self.excerpt}"' if self.excerpt else ""
        return f"{subject}{_printable(self.problem)}{_printable(place)} ({', '.join(facts)}). {self.advice}.{shown}"


class AddressRefused(ParticipantError):
    layer = "address"
    default_advice = "give a public http(s) address without credentials"


class TransportFailed(ParticipantError):
    layer = "transport"
    unscored_reason = "transport"
    default_advice = "check that the server runs, is reachable from here and answers within its limits"


class TlsFailed(ParticipantError):
    layer = "tls"
    unscored_reason = "transport"
    default_advice = "check the certificate's chain, host name and dates"


class HttpRefused(ParticipantError):
    layer = "http"
    default_advice = "check the URL and the server's log for this request"

    def __init__(
        self, problem: str, *, retryable: bool = False, retry_after: float | None = None, advice: str | None = None
    ) -> None:
        super().__init__(problem, retryable=retryable, retry_after=retry_after, advice=advice)
        if retryable:
            # A busy or broken server says nothing about the contract.
            self.unscored_reason = "transport"


class AuthenticationRefused(ParticipantError):
    layer = "authentication"
    unscored_reason = "authentication"
    default_advice = "check the key and the scheme (Token, Bearer or X-Api-Key) that this version was bound with"


class LimitExceeded(ParticipantError):
    layer = "limit"
    unscored_reason = "limit"
    default_advice = "return less: the limits stand in the contract and the release"


class JsonInvalid(ParticipantError):
    layer = "json"
    default_advice = "answer with one strict JSON object in UTF-8"


class SchemaViolated(ParticipantError):
    layer = "schema"
    default_advice = "return the fields of the Add / Search contract with their exact types"


class EchoMismatched(ParticipantError):
    layer = "echo"
    default_advice = "return the id exactly as it was received, byte for byte"


class MediaRefused(ParticipantError):
    layer = "media"
    default_advice = "return JPEG, PNG or WebP as Base64 data URIs within the media limits"


class RequestRefused(ParticipantError):
    layer = "request"
    unscored_reason = "internal"
    default_advice = "mend the dataset; the participant was not called"


def _printable(text: str) -> str:
    """One line whatever the text holds: control, bidi and unassigned characters are escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text[:400])
