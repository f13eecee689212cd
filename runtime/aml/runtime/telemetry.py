"""Structured logs: a dotted event name and keywords, one line each, never a payload or a secret."""

import logging
import sys

import structlog

from .settings import LogSettings


def configure_logging(settings: LogSettings, service: str) -> None:
    """JSON lines on stderr, or readable ones with `format = console`. Third-party loggers speak at WARNING."""
    level = logging.getLevelNamesMapping()[settings.level.upper()]
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        if settings.format == "console"
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
