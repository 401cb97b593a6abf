"""The process that opens untrusted files: little memory, no secrets, one file at a time."""

import argparse
import contextlib
import resource
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from remem.adapters.extractors import wire
from remem.adapters.extractors.engines import CallReport, Engine, Engines, LazyAsr, LazyOcr
from remem.adapters.pipes import read_message, take_over_stdio, write_message
from remem.core.errors import RememError, Unavailable

OPEN_FILES = 256
# Sound is decoded into a private file; four hours take half of this.
MAX_FILE_BYTES = 1_000_000_000
# Models reserve much memory that they never use, so it does not count for the file.
MODEL_BYTES = 1_000_000_000
OUT_OF_MEMORY = "memory"
UNREADABLE = (
    "The file could not be read ({}); it may be damaged: open it in its program and save it again."
)


def main() -> None:
    arguments = _arguments()
    requests, responses = take_over_stdio()
    _set_limits(arguments.memory_bytes)
    configuration = read_message(requests)
    if configuration is None:
        return
    ocr, asr = _providers(wire.unpack(configuration))
    engines = Engines(ocr, asr, arguments.html_chars)
    while (message := read_message(requests)) is not None:
        request = wire.unpack(message)
        ocr.report, asr.report = _reports(request["paused"])
        response = _handle(request, engines)
        response["calls"] = {"ocr": asdict(ocr.report), "asr": asdict(asr.report)}
        write_message(responses, wire.pack(response))
        if response.get("code") == OUT_OF_MEMORY:
            # After running out of memory, this process is not reliable any more.
            return


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory-bytes", type=int, required=True)
    parser.add_argument("--html-chars", type=int, required=True)
    return parser.parse_args()


def _providers(configuration: dict[str, Any]) -> tuple[LazyOcr, LazyAsr]:
    """Create the engines from a message: arguments of a command line, such as keys, are visible to
    other users."""
    ocr, asr = Engine(**configuration["ocr"]), Engine(**configuration["asr"])
    return LazyOcr(ocr, _raise_memory_limit), LazyAsr(asr, _raise_memory_limit)


def _reports(paused: Mapping[str, str]) -> tuple[CallReport, CallReport]:
    return CallReport(paused.get("ocr")), CallReport(paused.get("asr"))


def _set_limits(memory_bytes: int) -> None:
    for limit, soft, hard in (
        (resource.RLIMIT_DATA, memory_bytes, memory_bytes + MODEL_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_FSIZE, MAX_FILE_BYTES, MAX_FILE_BYTES),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        # Some systems lack some limits; the limits of time and the parent's checks still apply.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (soft, hard))


def _raise_memory_limit() -> None:
    """Raise the memory limit so that a model fits next to the file."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _handle(request: dict[str, Any], engines: Engines) -> dict[str, Any]:
    from remem.adapters.extractors.kinds import extract

    _allow_cpu(request["cpu_s"])
    allowed = replace(engines, grammars=request["grammars"])
    try:
        return wire.dump_extracted(extract(wire.parse_original(request), allowed))
    except RememError as error:
        is_down = isinstance(error, Unavailable)
        return {"code": error.code, "message": error.message, "is_down": is_down}
    except MemoryError:
        return {"code": OUT_OF_MEMORY, "message": ""}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # A panic in Rust is not an Exception; it must not end us.
        return {"code": "unreadable", "message": UNREADABLE.format(type(error).__name__)}


def _allow_cpu(cpu_s: float) -> None:
    """Allow CPU time for this file, in addition to what earlier files used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used.ru_utime + used.ru_stime + cpu_s) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    main()
