"""Asks after an Add that answered 202 until its task is done, has failed, or the request's total limit is over."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace
from yarl import URL

from aml.contracts.participant import Attempt, CallLimits, StatusPolling
from aml.runtime.clock import Clock

from .add_status import judge_status, read_task_id, url_for, wait_before
from .errors import HttpRefused, ParticipantError, TransportFailed
from .refused_status import failure_of_status
from .reply import Reply
from .retry_policy import is_retryable_status, parse_retry_after
from .transmitter import Transmitter


class TaskPoller:
    """`failures_allowed`: how often in a row the status URL may fail before the Add counts as failed."""

    def __init__(
        self,
        transmitter: Transmitter,
        template: str,
        *,
        limits: CallLimits,
        polling: StatusPolling,
        failures_allowed: int,
        clock: Clock,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._transmitter = transmitter
        self._template = template
        self._limits = limits
        self._polling = polling
        self._failures_allowed = failures_allowed
        self._clock = clock
        self._sleep = sleep

    async def ask(self, accepted: Reply, added: Attempt, attempts: list[Attempt]) -> Reply | ParticipantError:
        """The status answer that says done, to be judged like an Add's 200; each question is put into `attempts`."""
        try:
            task_id = read_task_id(accepted.body)
        except ParticipantError as error:
            return error
        url = URL(url_for(self._template, task_id), encoded=True)
        # Summed rather than read from a clock: waits count in full, whatever `sleep` really did.
        spent = added.latency_us / 1e6
        asked_for, failures, poll = self._asked_for(accepted), 0, 0
        while True:
            poll += 1
            wait = wait_before(poll, polling=self._polling, retry_after=asked_for)
            left = self._limits.total_seconds - spent - wait
            if left <= 0:
                return TransportFailed(
                    f"the task of the 202 was not done within {self._limits.total_seconds:g} s", retryable=True
                )
            await self._sleep(wait)
            reply, record = await self._transmitter.attempt(
                url, None, poll, poll=True, limits=replace(self._limits, total_seconds=left)
            )
            attempts.append(record)
            spent += wait + record.latency_us / 1e6
            outcome = reply if isinstance(reply, ParticipantError) else self._judged(reply, task_id)
            if isinstance(outcome, Reply):
                return outcome
            if isinstance(reply, Reply):
                reply.release()
            unclear = _says_nothing(reply)
            failures = failures + 1 if unclear else 0
            if outcome is not None and (not unclear or failures >= self._failures_allowed):
                return outcome
            asked_for = self._asked_for(reply) if isinstance(reply, Reply) else None

    def _judged(self, reply: Reply, task_id: str) -> Reply | ParticipantError | None:
        """None while the task is pending."""
        if reply.status == 202:
            return None
        if reply.status != 200:
            # Asking is harmless, so it is repeated like a Search.
            failure = failure_of_status(reply, "search", self._clock.now_ms())
            if type(failure) is HttpRefused:
                failure.problem = f"the Add status URL answered {reply.status}"
            return failure
        try:
            progress = judge_status(reply.body, task_id)
        except ParticipantError as error:
            return error
        if progress == "done":
            return reply
        if progress == "pending":
            return None
        return HttpRefused("the task of the 202 failed", advice="see the server's log for this task", retryable=True)

    def _asked_for(self, reply: Reply) -> float | None:
        return parse_retry_after(reply.retry_after, self._clock.now_ms())


def _says_nothing(reply: Reply | ParticipantError) -> bool:
    """The answer is about the status server and not about the task: ask again."""
    return reply.retryable if isinstance(reply, ParticipantError) else is_retryable_status("search", reply.status)
