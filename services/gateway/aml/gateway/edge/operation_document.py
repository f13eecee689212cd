"""How an operation stands in the OpenAPI document: its room, who may call it, its examples, what its parameters mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import Example, OpenAPIMediaType, Operation, Parameter, RequestBody, Tag
from msgspec import Struct

from .documented_refusals import refusals_of
from .examples import EXAMPLES
from .route_access import access_of, in_words

ROOMS: Final[Mapping[str, str]] = {
    "access": "Applications for access, and the versions that come of them.",
    "keys": "Keys of participants, reviewers and operators.",
    "jobs": "Smoke and full runs: ordered, followed, cancelled, taken up again; and what runs are left.",
    "results": "A job's private results, question by question, compared and as files.",
    "review": "The review of what passed the gate, its decisions, and the deletion of evaluation data.",
    "donations": "Benchmarks that somebody offers.",
    "operations": "What operators see and mend.",
    "public": "Releases, cycles and the log, open to everybody.",
}
"""The rooms that routes lie in: the document's tags."""

TAGS: Final = [Tag(name=name, description=about) for name, about in ROOMS.items()]

ABOUT: Final = (
    "Keys and tokens go into `Authorization: Bearer …`. Whatever is no success has the body"
    ' `{"detail": {"reason", "message", …}}`: the reason is for programs and stays as it is, the message is for people and says'
    " what to do; a 422 names its fields. A creation that carries an `Idempotency-Key` can be sent again and gets its first"
    " answer. Every answer has an `X-Request-Id`; a caller's own one is kept. Over the rate limit, and while something is away,"
    " `Retry-After` says when to come back. Times are UTC (RFC 3339), scores are in millionths, latencies in microseconds."
)

_PARAMETERS: Final[Mapping[str, str]] = {
    "access_id": "The id that the application was answered with.",
    "version_id": "A version's id, as `/versions` lists it.",
    "job_id": "A job's id, as `/jobs` lists it.",
    "unit": "A question's unit, as `/jobs/{job_id}/questions` lists it.",
    "proposal_id": "The id that the proposal was answered with.",
    "key_id": "A key's id, as `/operator/keys` lists it; not its text.",
    "cycle_id": "A cycle's id, as `/cycles` lists it.",
    "index": "The entry's place in the log, from 0.",
    "size": "The tree to prove it in; by default the newest checkpoint's.",
    "limit": "At most so many.",
    "offset": "Without the first so many.",
    "state": "Only those in this state.",
    "origin": "Whose runs.",
    "role": "Only keys of this role.",
    "track": "The track; without it the one of the release.",
    "release_id": "The release; without it the platform's default.",
    "outcome": "Only questions that ended like this.",
    "dataset": "Only questions of this dataset.",
    "category": "Only questions of this category.",
    "reason": "Only questions that are unscored for this reason.",
    "sort": "In which order.",
    "text": "Whether the questions' texts come along.",
    "details": "Everything that is kept of each question.",
}

_REQUEST: Final = "request"
_ANSWER: Final = "answer"


@dataclass
class Verbatim(Example):
    """Litestar would drop what is null in the value, which a schema may require."""

    def to_schema(self) -> dict[str, Any]:
        said = {"summary": self.summary} if self.summary else {}
        return {**said, "value": self.value}


@dataclass
class Illustrated(Operation):
    """Puts the examples of `EXAMPLES` beside the schemas. The operation's id is the handler's name."""

    def __post_init__(self) -> None:
        for parameter in self.parameters or ():
            if isinstance(parameter, Parameter) and not parameter.description:
                parameter.description = _PARAMETERS.get(parameter.name)
        if (example := EXAMPLES.get(self.operation_id or "")) is None:
            return
        if example.request is not None and isinstance(self.request_body, RequestBody):
            _illustrate(self.request_body.content, _REQUEST, example.request)
        for status, answer in (self.responses or {}).items():
            content = getattr(answer, "content", None)
            if status < "300" and content:
                _illustrate(content, _ANSWER, example.answer)


def document(handler: HTTPRouteHandler) -> None:
    """Before the handler is registered. Doing it twice is doing it once."""
    name = handler.fn.__name__
    access = access_of(handler)
    example = EXAMPLES.get(name)
    handler.operation_id = name
    handler.tags = [handler.fn.__module__.split(".")[2]]
    handler.description = " ".join(filter(None, (example.about if example else "", in_words(access))))
    if access is not None:
        handler.security = [{"key": []}] if access.key_needed else [{}, {"key": []}]
    if handler.operation_class is Operation:
        handler.operation_class = Illustrated
    handler.responses = {**(handler.responses or {}), **refusals_of(handler)}


def _illustrate(content: Mapping[str, OpenAPIMediaType], name: str, value: Struct | str) -> None:
    shown: Any = value if isinstance(value, str) else msgspec.to_builtins(value)
    for media in content.values():
        media.examples = {name: Verbatim(value=shown)}
