"""What handlers are given by name; `app.py` provides it."""

from litestar.di import NamedDependency

from aml.gateway.keys.keys import Caller
from aml.gateway.parts import Parts

GivenParts = NamedDependency[Parts]
GivenCaller = NamedDependency[Caller]
