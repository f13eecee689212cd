"""What handlers are given by name; `app.py` provides it."""

from litestar.di import NamedDependency

from .keys import Caller
from .parts import Parts

GivenParts = NamedDependency[Parts]
GivenCaller = NamedDependency[Caller]
