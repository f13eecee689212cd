"""All commands in one application, for whoever walks through them: the docs' tests, the help's tests."""

from .app import make_app
from .commands import COMMANDS

app = make_app(COMMANDS)
