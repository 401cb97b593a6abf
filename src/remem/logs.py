"""Configure logging: for people or for programs, never with keys or content."""

import io
import logging
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

import structlog

from remem.settings import Settings

MAX_BYTES = 10_000_000
KEPT_FILES = 5


def configure(settings: Settings, *, quiet: bool = False) -> None:
    if settings.log_file and not quiet:
        sys.stdout = sys.stderr = LogFile(settings.log_file)
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


class LogFile(io.TextIOBase):
    """Takes the place of the standard output and error, also of processes that are started later. A
    full file is set aside, with a number added to its name."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._open()

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        file = os.open(self._path, flags, 0o600)
        for descriptor in (1, 2):
            os.dup2(file, descriptor)
        os.close(file)

    def write(self, text: str) -> int:
        """A full disk must not stop the server: the line is lost."""
        with self._lock, suppress(OSError):
            os.write(2, text.encode(errors="backslashreplace"))
            if os.fstat(2).st_size > MAX_BYTES:
                self._set_aside()
        return len(text)

    def _set_aside(self) -> None:
        for number in range(KEPT_FILES - 1, 0, -1):
            with suppress(FileNotFoundError):
                self._numbered(number).replace(self._numbered(number + 1))
        self._path.replace(self._numbered(1))
        self._open()

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")

    def fileno(self) -> int:
        return 2
