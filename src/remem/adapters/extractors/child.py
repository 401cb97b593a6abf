"""The process that opens strangers' files: little memory, no secrets, one file after the other."""

import argparse
import contextlib
import resource
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from remem.adapters.extractors import wire
from remem.adapters.extractors.engines import CallReport, Engine, Engines, LateAsr, LateOcr
from remem.adapters.pipes import private_pipes, read_message, write_message
from remem.core.errors import RememError, Unavailable

OPEN_FILES = 256
# Sound is decoded into a file that nobody else sees: four hours are half of this.
WRITTEN_BYTES = 1_000_000_000
# The models are ours and reserve much that they never touch; it is not counted as the file's.
MODEL_BYTES = 1_000_000_000
OUT_OF_MEMORY = "memory"
ODD = (
    "The file could not be read ({}); it may be damaged: open it in its program and save it again."
)


def main() -> None:
    arguments = _arguments()
    questions, answers = private_pipes()
    _limit(arguments.memory_bytes)
    chosen = read_message(questions)
    if chosen is None:
        return
    ocr, asr = _providers(wire.unpack(chosen))
    engines = Engines(ocr, asr, arguments.html_chars)
    while (question := read_message(questions)) is not None:
        asked = wire.unpack(question)
        ocr.report, asr.report = _reports(asked["paused"])
        answer = _answer(asked, engines)
        answer["calls"] = {"ocr": asdict(ocr.report), "asr": asdict(asr.report)}
        write_message(answers, wire.pack(answer))
        if answer.get("code") == OUT_OF_MEMORY:
            # What is left in memory is no ground to go on.
            return


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory-bytes", type=int, required=True)
    parser.add_argument("--html-chars", type=int, required=True)
    return parser.parse_args()


def _providers(chosen: dict[str, Any]) -> tuple[LateOcr, LateAsr]:
    """By message, because others could read a key on the command line."""
    ocr, asr = Engine(**chosen["ocr"]), Engine(**chosen["asr"])
    return LateOcr(ocr, _make_room), LateAsr(asr, _make_room)


def _reports(paused: Mapping[str, str]) -> tuple[CallReport, CallReport]:
    return CallReport(paused.get("ocr")), CallReport(paused.get("asr"))


def _limit(memory_bytes: int) -> None:
    for limit, soft, hard in (
        (resource.RLIMIT_DATA, memory_bytes, memory_bytes + MODEL_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_FSIZE, WRITTEN_BYTES, WRITTEN_BYTES),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        # Some systems do not know some limits; time and the parent's watch still apply.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (soft, hard))


def _make_room() -> None:
    """Let a model in beside the file."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _answer(question: dict[str, Any], engines: Engines) -> dict[str, Any]:
    from remem.adapters.extractors.kinds import extract

    _allow_cpu(question["cpu_s"])
    allowed = replace(engines, grammars=question["grammars"])
    try:
        return wire.tell(extract(wire.asked(question), allowed))
    except RememError as error:
        down = isinstance(error, Unavailable)
        return {"code": error.code, "message": error.message, "is_down": down}
    except MemoryError:
        return {"code": OUT_OF_MEMORY, "message": ""}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # A panic in Rust is no Exception, and must not end us.
        return {"code": "unreadable", "message": ODD.format(type(error).__name__)}


def _allow_cpu(cpu_s: float) -> None:
    """Give this file its time, on top of what those before it took."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used.ru_utime + used.ru_stime + cpu_s) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    main()
