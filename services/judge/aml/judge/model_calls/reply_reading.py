"""Reads the body of a 200 from `/chat/completions`.

Into our own few fields: the SDK's pydantic models cost more than the whole HTTP exchange, and endpoints that are compatible
rather than identical leave fields out.
"""

import msgspec
from msgspec import Struct

from .attempt_policy import Fault
from .completion import Completion


class _Message(Struct):
    content: str | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Reply(Struct):
    choices: tuple[_Choice, ...]
    model: str = ""
    system_fingerprint: str | None = None
    usage: _Usage | None = None


_decoder = msgspec.json.Decoder(_Reply)


def read_reply(body: bytes, *, asked_model: str, retry_calls: int) -> Completion | Fault:
    """Empty text that the model ended by itself is an answer (a wrong one); empty text that was cut off is not."""
    try:
        reply = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Fault(kind="unusable", detail=f"the reply is no chat completion: {error}")
    if not reply.choices:
        return Fault(kind="unusable", detail="the reply has no choices")
    choice = reply.choices[0]
    text = choice.message.content
    if text is None:
        return Fault(kind="unusable", detail=f"the reply has no text (finish_reason {choice.finish_reason})")
    if choice.finish_reason == "length" and not text.strip():
        return Fault(kind="unusable", detail="the reply was cut off before any text; raise max_tokens in the release")
    usage = reply.usage or _Usage()
    return Completion(
        text=text,
        model=reply.model or asked_model,
        system_fingerprint=reply.system_fingerprint,
        prompt_tokens=max(usage.prompt_tokens, 0),
        completion_tokens=max(usage.completion_tokens, 0),
        finish_reason=choice.finish_reason,
        primary_calls=1,
        retry_calls=retry_calls,
    )
