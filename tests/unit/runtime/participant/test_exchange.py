import pytest

from aml.runtime.participant.errors import AuthenticationRefused, HttpRefused
from aml.runtime.participant.excerpt import EXCERPT_CHARS, excerpt_of
from aml.runtime.participant.refused_status import failure_of_status
from aml.runtime.participant.reply import Reply
from aml.runtime.secret import Secret


def _reply(status: int, retry_after: str | None = None) -> Reply:
    return Reply(status=status, body=b"", retry_after=retry_after)


@pytest.mark.parametrize("status", [401, 403])
def test_refused_keys_are_authentication(status: int) -> None:
    failure = failure_of_status(_reply(status), "search", 0)

    assert isinstance(failure, AuthenticationRefused)
    assert not failure.retryable


@pytest.mark.parametrize(
    ("call", "status", "retryable"),
    [("add", 409, True), ("search", 409, False), ("add", 524, True), ("search", 524, False), ("search", 503, True)],
)
def test_add_and_search_differ_in_what_is_tried_again(call: str, status: int, retryable: bool) -> None:
    failure = failure_of_status(_reply(status, "3"), call, 0)  # type: ignore[arg-type]

    assert isinstance(failure, HttpRefused)
    assert failure.retryable is retryable
    assert failure.retry_after == (3.0 if retryable else None)


@pytest.mark.parametrize(
    ("status", "word"), [(301, "redirect"), (308, "redirect"), (202, "status URL"), (204, "not 200")]
)
def test_other_statuses_say_what_is_the_matter(status: int, word: str) -> None:
    assert word in str(failure_of_status(_reply(status), "add", 0))


def test_excerpt_is_bounded_printable_and_without_the_key() -> None:
    secret = Secret("canary-key-123")

    assert excerpt_of(b'{"a": "\x00\xff\xe2\x80\xae"}\n', None) == '{"a": "\\x00\\xff\\u202e"}\\n'
    assert excerpt_of(b"got canary-key-123!", secret) == "got [secret]!"
    assert len(excerpt_of(b"\x00" * 10_000, secret)) == EXCERPT_CHARS


@pytest.mark.parametrize("shift", range(16))
def test_no_part_of_the_key_is_left_at_the_cut(shift: int) -> None:
    secret = Secret("canary-key-123")

    for body in (b"x" * (EXCERPT_CHARS - shift) + b"canary-key-123" * 3, b"x" * shift + b"canary-key-123" * 500):
        assert "canar" not in excerpt_of(body, secret)
