"""A test aid: returns the evidence that it was handed beforehand. `python -m aml.examples.oracle --evidence FILE`.

It shows what the answering model and the judge make of perfect memories; it is no memory system, and a result with it is not one.
The file is a JSON array of `{"user": …, "question": …, "texts": [...]}`. An entry answers a Search whose `query` is
`question` and whose `user_id` is `user` or ends with `:user` (a job's user ids end with the sample's id).
"""

from pathlib import Path
from typing import Final

import msgspec

from aml.examples.serve import Add, Found, Search, command_line, serve, text_of


class Evidence(msgspec.Struct, frozen=True):
    user: str
    question: str
    texts: tuple[str, ...]


_decoder: Final = msgspec.json.Decoder(list[Evidence])


class Oracle:
    def __init__(self, evidence: list[Evidence]) -> None:
        self._entries: dict[str, list[Evidence]] = {}
        for entry in evidence:
            self._entries.setdefault(entry.question, []).append(entry)

    def add(self, request: Add) -> None:
        """Knows it already."""

    def search(self, request: Search) -> list[Found]:
        for entry in self._entries.get(text_of(request.query), ()):
            if f":{request.user_id}".endswith(f":{entry.user}"):
                texts = entry.texts[: request.top_k]
                return [Found(id=f"e{number}", content=text, score=1.0) for number, text in enumerate(texts, 1) if text]
        return []

    def close(self) -> None: ...


def read_evidence(path: Path) -> list[Evidence]:
    """Exits with one line for a file that is missing or of another shape."""
    try:
        return _decoder.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        raise SystemExit(f"{path} is not usable as evidence: {error}") from None


def main() -> None:
    parser = command_line("Returns the evidence that it was handed. A test aid.")
    parser.add_argument("--evidence", type=Path, required=True)
    options = parser.parse_args()
    serve(Oracle(read_evidence(options.evidence)), options)


if __name__ == "__main__":
    main()
