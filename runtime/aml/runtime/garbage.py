"""The collector of reference cycles, in a process that has started and now does the same thing all day.

It had 6 % of a worker's CPU, most of it in walks over the modules that the start had made. These are taken out of its sight;
what a unit of work makes is freed by counting, so that the young generation may grow larger before somebody looks for cycles.
"""

import gc
from typing import Final

YOUNG: Final = 10_000
"""Containers made and not freed, from which on the youngest are looked through; Python's own is 700. A hundred memories of a
search are a hundred containers, and dozens of searches are under way at once."""


def settle() -> None:
    """Once, when everything is imported."""
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
