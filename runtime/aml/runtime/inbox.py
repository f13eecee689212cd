"""A subscription whose messages are handed over while they are read.

nats-py takes a message to a callback through a queue and a task of the subscription's own, which is another turn of the loop
for each. To a future it hands the message at once; here is one that passes it on.
"""

import asyncio
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription


class _Receiver(asyncio.Future[Msg]):
    """Never done."""

    def __init__(self, receive: Callable[[Msg], None]) -> None:
        super().__init__()
        self._receive = receive

    def set_result(self, message: Msg, /) -> None:
        self._receive(message)


async def subscribe(client: Client, subject: str, receive: Callable[[Msg], None]) -> Subscription:
    """`receive` must neither wait nor raise: it is called by whatever reads the connection."""
    return await client.subscribe(subject, future=_Receiver(receive))
