"""`python -m aml.runtime.nursery`: waits for births on its standard input; each forked process goes on as a service."""

import os
import runpy

from .births import wait_for_births


def main() -> str:
    """Returns in the processes that were forked, with the module to run; exits in the nursery."""
    birth = wait_for_births(requests=0)
    os.environ.clear()  # noqa: TID251  what `exec` would do with a new process's environment
    os.environ.update(birth.environment)  # noqa: TID251
    return birth.module


if __name__ == "__main__":
    runpy.run_module(main(), run_name="__main__", alter_sys=True)
