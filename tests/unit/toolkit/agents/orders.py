"""Adds and Searches as the platform sends them."""

from msgspec import UNSET

from aml.contracts.participant import AddRequest, Message, SearchRequest


def an_add(
    request_id: str, *texts: str, user: str = "story", session: str = "s001", at: int | None = None, role: str = "user"
) -> AddRequest:
    return AddRequest(
        request_id=request_id,
        messages=tuple(Message(role=role, content=text, timestamp=UNSET if at is None else at) for text in texts),
        user_id=f"eval:job-1:data:{user}",
        session_id=f"eval:job-1:{user}:{session}",
    )


def searched(query: str, user: str = "story", top_k: int = 1) -> SearchRequest:
    return SearchRequest(query=query, user_id=f"eval:job-1:data:{user}", top_k=top_k)
