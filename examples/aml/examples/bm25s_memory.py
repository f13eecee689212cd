"""A memory system on the `bm25s` package: `python -m aml.examples.bm25s_memory --port 9002 --data memory.jsonl`.

Each user's messages are an index of their own, built when it is first searched after a write. With `--data`, every Add is
appended to a journal and synced before it is answered; the journal is read back at the start.
"""

import os
import re
from pathlib import Path
from typing import BinaryIO

import bm25s
import msgspec
import numpy as np
import Stemmer

from aml.examples.serve import Add, ConflictError, Found, Search, command_line, serve, shown, text_of

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\w+")
_STOP_WORDS = frozenset(
    """
    a an and are as at be but by did do does for from had has have he her his how i in is it its me my of on or our s she that
    the their them they this to was we were what when where which who why will with you your
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
)


class _Person:
    def __init__(self) -> None:
        self.requests: dict[str, bytes] = {}
        self.found: list[Found] = []
        self.tokens: list[list[str]] = []
        self.index: bm25s.BM25 | None = None


class Bm25sMemory:
    def __init__(self, journal: Path | None = None) -> None:
        self._people: dict[str, _Person] = {}
        self._stemmer = Stemmer.Stemmer("english")
        self._journal: BinaryIO | None = None
        if journal is not None:
            self._journal = self._replay(journal)

    def add(self, request: Add) -> None:
        body = msgspec.json.encode(request)
        person = self._people.get(request.user_id)
        known = None if person is None else person.requests.get(request.request_id)
        if known is not None:
            if known != body:
                raise ConflictError(f"request {request.request_id} was already written with other messages")
            return
        if self._journal is not None:
            self._journal.write(body + b"\n")
            self._journal.flush()
            os.fsync(self._journal.fileno())
        self._remember(request, body)

    def search(self, request: Search) -> list[Found]:
        person = self._people.get(request.user_id)
        words = self._tokens(" ".join([text_of(request.query), *request.options]))
        if person is None or not words:
            return []
        if person.index is None:
            person.index = _index(person.tokens)
        # Words that the index has never seen would be an error to it.
        known = [word for word in dict.fromkeys(words) if word in person.index.vocab_dict]
        if not known:
            return []
        scores = person.index.get_scores(known)
        best = np.argsort(-scores, kind="stable")[: request.top_k]
        return [
            msgspec.structs.replace(person.found[place], score=round(float(scores[place]), 6))
            for place in best
            if scores[place] > 0
        ]

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def _replay(self, path: Path) -> BinaryIO:
        journal = path.open("a+b")
        journal.seek(0)
        end = 0
        for line in journal:
            if not line.endswith(b"\n"):
                break  # cut off in the middle of a write that was never answered
            self._remember(msgspec.json.decode(line, type=Add), line[:-1])
            end += len(line)
        journal.truncate(end)
        return journal

    def _remember(self, request: Add, body: bytes) -> None:
        person = self._people.setdefault(request.user_id, _Person())
        person.requests[request.request_id] = body
        person.index = None
        for message in request.messages:
            content, created_at = shown(message)
            person.found.append(Found(id=f"m{len(person.found) + 1}", content=content, created_at=created_at))
            person.tokens.append(self._tokens(content))

    def _tokens(self, text: str) -> list[str]:
        words = _TOKEN.findall(text.lower())
        stemmed: list[str] = self._stemmer.stemWords([word for word in words if word not in _STOP_WORDS] or words)
        return stemmed


def _index(tokens: list[list[str]]) -> bm25s.BM25:
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    return index


def main() -> None:
    parser = command_line("A memory system on bm25s.")
    parser.add_argument("--data", type=Path, help="journal file; without it all is forgotten at the end")
    options = parser.parse_args()
    try:
        memory = Bm25sMemory(options.data)
    except (OSError, msgspec.MsgspecError) as error:
        parser.error(f"{options.data} cannot be used as a journal: {error}")
    serve(memory, options)


if __name__ == "__main__":
    main()
