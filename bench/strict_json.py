"""How fast a Search response of a hundred items is read strictly, beside the standard library's reader.

The platform's reader is msgspec's decoder (grammar, UTF-8, surrogates, number range: in C, and strict where `json` takes NaN,
lone surrogates and unbounded integers) plus checks on the bytes outside of strings: depth, number length, count of values and,
from one count of colons, duplicate keys. `json.loads` finds those only with `object_pairs_hook`, a Python call an object.
Both refuse a key that comes twice. No faster parser was taken: orjson and simdjson keep the last of two keys and say nothing.
"""

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from aml.runtime.participant.response_check import check_search_response
from aml.runtime.participant.strict_json import read_json

ITEMS = 100
ROUNDS = 7
_SECONDS = 0.3


def measure() -> dict[str, Any]:
    return {f"{name}_{figure}": value for name, body in BODIES.items() for figure, value in _figures(body).items()}


def _body(content: str, **more: Any) -> bytes:
    data = [
        {"id": f"memory-{n:06d}", "content": content, "score": 0.8731, "created_at": "2026-05-04T10:00:00Z"} | more
        for n in range(ITEMS)
    ]
    return json.dumps({"data": data}, ensure_ascii=False).encode()


BODIES = {
    "plain": _body("user: " + "the bicycle in the shed was blue before it was painted red, " * 5),
    "escaped": _body('user: "it was\tblue", she said,\nand then "red"; ' * 6),
    "chinese": _body("用户：棚子里的自行车以前是蓝色的，" * 8),
    "nested": _body("the bicycle", metadata={"tags": ["a", "b"], "vector": [0.0173, -0.52, 0.125] * 8}),
}


def _figures(body: bytes) -> dict[str, float]:
    def refusing(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            raise ValueError
        return value

    return {
        "bytes": len(body),
        "read_mb_per_s": _rate(lambda: read_json(body), len(body)),
        "checked_mb_per_s": _rate(lambda: check_search_response(body, top_k=ITEMS), len(body)),
        "json_loads_mb_per_s": _rate(lambda: json.loads(body), len(body)),
        "json_loads_with_pairs_mb_per_s": _rate(lambda: json.loads(body, object_pairs_hook=refusing), len(body)),
    }


def _rate(read: Callable[[], object], size: int) -> float:
    rates = []
    for _ in range(ROUNDS):
        count, began = 0, time.process_time()
        while (spent := time.process_time() - began) < _SECONDS / ROUNDS:
            read()
            count += 1
        rates.append(size * count / spent / 1e6)
    return median(rates)
