"""`python -m aml.toolkit.local HOME`: a supervisor in the background. Prints its process id and returns at once.

`aml up --detach` is the way for people; it waits until the stack is ready.
"""

import os
import sys
from pathlib import Path

from aml.runtime.settings import SettingsError, read_settings

from .assembly import assemble
from .background import supervise_in_background
from .errors import LocalStackError
from .home import make_home
from .settings import StackSettings


def main() -> int:
    if len(sys.argv) != 2:
        sys.stderr.write("error: usage: python -m aml.toolkit.local HOME\n")
        return 2
    environ = dict(os.environ)  # noqa: TID251 - a process's one reading of it
    try:
        layout = make_home(Path(sys.argv[1]))
        settings = read_settings(StackSettings, environ)
    except (LocalStackError, SettingsError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2 if isinstance(error, SettingsError) else 1
    return supervise_in_background(layout, lambda: assemble(layout, settings, environ), environ)


if __name__ == "__main__":
    sys.exit(main())
