"""Which tests share a worker of pytest-xdist: those that share a stack, by their place.

pytest 9.2 keeps a test's id where xdist 3.8's `xdist_group` mark no longer reaches it, so the mark groups nothing.
"""

from typing import Any, Final

from xdist.scheduler.loadscope import LoadScopeScheduling

SHARED: Final = (
    "tests/browser/",
    "tests/hostile/test_canary_key.py",
    "tests/hostile/test_in_stack.py",
    "tests/e2e/test_demo.py",
)
"""Each a folder or a file whose tests run in one worker; any other test may run in any."""


class StackScheduling(LoadScopeScheduling):
    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        if log is not None:
            self.log = log.stackscheduling

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """The hostile stack's two files are one group."""
    for place in SHARED:
        if nodeid.startswith(place):
            return "tests/hostile/" if place.startswith("tests/hostile/") else place
    return nodeid
