"""Configure logging: for people or for programs, never with keys or content."""

import logging
import sys

import structlog

from remem.settings import Settings


def configure(settings: Settings, *, quiet: bool = False) -> None:
    level = logging.WARNING if quiet else getattr(logging, settings.log_level.upper())
    render = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    # Lost and restored connections are logged by remem, in one line instead of a traceback.
    for name in ("asyncpg.pool", "pgqueuer"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
