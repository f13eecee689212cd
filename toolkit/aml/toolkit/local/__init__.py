"""NATS, Postgres and the six services on one machine, with nothing preinstalled."""

from .charge import StartFailed
from .errors import LocalStackError
from .infra import Infra, start_infra
from .stack import LocalStack, StackInfo

__all__ = ["Infra", "LocalStack", "LocalStackError", "StackInfo", "StartFailed", "start_infra"]
