"""A zero-latency OpenAI-compatible endpoint: `python -m bench.model_stub [--port 0]`. Answers and verdicts are constants."""

import argparse
import asyncio
import json
from typing import cast

import uvloop


def completion(text: str) -> bytes:
    body = {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "system_fingerprint": "fp_stub",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 500, "completion_tokens": 12, "total_tokens": 512},
    }
    payload = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(payload)}\r\n\r\n"
    return head.encode() + payload


ANSWER = completion("She went there on 7 May 2023.")
VERDICT = completion('{"verdict": "correct", "reason": "stub"}')


class Stub(asyncio.Protocol):
    """HTTP/1.1 with keep-alive, requests with a Content-Length: what the client under test sends."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's transports do not subclass asyncio's
        self.buffer = bytearray()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.buffer[:end]).lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.buffer) < end + 4 + length:
                return
            body = bytes(self.buffer[end + 4 : end + 4 + length])
            del self.buffer[: end + 4 + length]
            self.transport.write(VERDICT if b"verdict" in body else ANSWER)


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", port)
    print(f"ready http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    uvloop.run(main(parser.parse_args().port))
