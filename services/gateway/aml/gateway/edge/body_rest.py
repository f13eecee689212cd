"""A refusal of a body that is too large reaches its sender.

The server closes a connection whose request was not read to its end, and TCP then drops the answer on its way. So what is left of
such a body is read and thrown away first, within bounds.
"""

import asyncio

from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

MAX_REST_BYTES = 8 * 1024 * 1024
MAX_REST_SECONDS = 3.0


def read_rest_before_refusing(app: ASGIApp) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        ended = False

        async def receive_and_note_end() -> ReceiveMessage:
            nonlocal ended
            message = await receive()
            ended = message["type"] != "http.request" or not message.get("more_body", False)
            return message

        async def send_after_rest(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 413:
                await read_rest()
            await send(message)

        async def read_rest() -> None:
            left = MAX_REST_BYTES
            try:
                async with asyncio.timeout(MAX_REST_SECONDS):
                    while not ended and left > 0:
                        message = await receive_and_note_end()
                        left -= len(message["body"]) if message["type"] == "http.request" else 0
            except TimeoutError:
                return

        await app(scope, receive_and_note_end, send_after_rest)

    return serve
