"""Which modules a script needs, so that a page can ask for all of them at once instead of one import after another."""

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import \{[^}]+\} from "\./(\w+\.js)";$', re.MULTILINE)


@cache
def modules_of(script: str) -> tuple[str, ...]:
    """Names under `/assets/`, the script's own first."""
    found = [script]
    for name in found:  # grows while it is read
        source = (_FOLDER / name).read_text("utf-8")
        found += [each for each in dict.fromkeys(_IMPORT.findall(source)) if each not in found]
    return tuple(found)
