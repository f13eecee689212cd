"""A refusal of a body that is too large reaches its sender.

The server closes a connection whose request was not read to its end, and TCP then drops the answer on its way. So the answer
is sent but for its last byte, and what is left of such a body is read and thrown away, within bounds: a sender who listens
stops at once, and one who sends everything before it listens hears the refusal then. A sender who asked first, by
`Expect: 100-continue`, and was not told to go on has sent nothing.
"""

import asyncio

from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

MAX_REST_BYTES = 1100 * 1024 * 1024
MAX_REST_SECONDS = 5.0


def read_rest_before_refusing(app: ASGIApp) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        ended = asks_first(scope)
        refused = False

        async def receive_and_note_end() -> ReceiveMessage:
            nonlocal ended
            message = await receive()
            ended = message["type"] != "http.request" or not message.get("more_body", False)
            return message

        async def send_and_read_rest(message: Message) -> None:
            nonlocal refused
            refused = refused or (message["type"] == "http.response.start" and message["status"] == 413)
            if not refused or message["type"] != "http.response.body" or message.get("more_body"):
                await send(message)
                return
            body = message["body"]  # the server takes the answer for over at its last byte, whatever `more_body` says
            await send({"type": "http.response.body", "body": body[:-1], "more_body": True})
            await read_rest()
            await send({"type": "http.response.body", "body": body[-1:], "more_body": False})

        async def read_rest() -> None:
            left = MAX_REST_BYTES
            try:
                async with asyncio.timeout(MAX_REST_SECONDS):
                    while not ended and left > 0:
                        message = await receive_and_note_end()
                        left -= len(message["body"]) if message["type"] == "http.request" else 0
            except TimeoutError:
                return

        await app(scope, receive_and_note_end, send_and_read_rest)

    return serve


def asks_first(scope: Scope) -> bool:
    return any(name == b"expect" and value.lower() == b"100-continue" for name, value in scope.get("headers", ()))
