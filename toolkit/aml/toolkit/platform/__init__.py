"""The platform's HTTP API for programs, room by room behind one `Platform`."""

from .errors import PlatformError, PlatformRefused, PlatformUnreachable
from .platform import Platform

__all__ = ["Platform", "PlatformError", "PlatformRefused", "PlatformUnreachable"]
