"""Answer `initialize` before the SDK is imported, which takes longer than assistants should wait.

The SDK then gets the same message, and its answer is dropped."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import IO, Any

from remem.surfaces.toolsets import instructions

# The versions that begin with `initialize`, oldest first; a client of another gets the last.
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_CAPABILITIES = {
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "tools": {"listChanged": False},
}


@dataclass(frozen=True, slots=True)
class FirstLine:
    """What the SDK reads first, and the id of the request in it if that is answered already."""

    text: str
    answered_id: str | int | None = None


@contextmanager
def reserve_streams() -> Iterator[tuple[IO[str], IO[str]]]:
    """Reserve stdin and stdout for the protocol: other readers get nothing, and other output goes
    to standard error."""
    lines = os.fdopen(os.dup(0), encoding="utf-8", errors="replace", closefd=False)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n", closefd=False)
    devnull = os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(devnull, 0)
    os.dup2(2, 1)
    os.close(devnull)
    try:
        yield lines, out
    finally:
        os.dup2(lines.fileno(), 0)
        os.dup2(out.fileno(), 1)


def answer_handshake(tools: str | None, lines: IO[str], out: IO[str]) -> FirstLine:
    """Read the first line, and answer it if it is a plain `initialize`."""
    line = lines.readline()
    request = _initialize(line)
    if request is None:
        return FirstLine(line)
    reply = {"jsonrpc": "2.0", "id": request["id"], "result": _result(tools, request["params"])}
    out.write(json.dumps(reply, separators=(",", ":")) + "\n")
    out.flush()
    # No tool depends on what the client is capable of.
    known = {name: request["params"]["clientInfo"][name] for name in ("name", "version")}
    request["params"] |= {"capabilities": {}, "clientInfo": known}
    return FirstLine(json.dumps(request) + "\n", request["id"])


def _result(tools: str | None, params: dict[str, Any]) -> dict[str, Any]:
    wanted = params["protocolVersion"]
    return {
        "capabilities": _CAPABILITIES,
        "instructions": instructions(tools),
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[-1],
        "serverInfo": {"name": "remem", "title": "remem", "version": version("remem")},
    }


def _initialize(line: str) -> dict[str, Any] | None:
    """The request in the line, or None if the SDK has to judge it."""
    try:
        request = json.loads(line)
        # Half a character has no encoding.
        json.dumps(request, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    match request:
        case {
            "jsonrpc": "2.0",
            "id": str() | int() as id,
            "method": "initialize",
            "params": {
                "protocolVersion": str(),
                "capabilities": dict(),
                "clientInfo": {"name": str(), "version": str()},
            },
        } if not isinstance(id, bool):
            return {name: request[name] for name in ("jsonrpc", "id", "method", "params")}
    return None
