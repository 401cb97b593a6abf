"""A command for programs that start `remem` themselves: gives its streams, folder and environment
to a process of the launcher's, and ends as that one ends. Needs nothing but the standard library.

python -I -S preloaded_client.py ADDRESS -m remem WORDS
"""

import array
import os
import pickle
import resource
import signal
import socket
import struct
import sys

NUMBER = struct.Struct("!i")
# How long the request is, and whether what is started ends with who asked.
HEAD = struct.Struct("!i?")


def main() -> None:
    address, kind, program, *words = sys.argv[1:]
    request = {"kind": kind, "program": program, "words": words, "env": dict(os.environ)}
    surroundings = {
        "cwd": os.getcwd(),  # noqa: PTH109 - to import pathlib takes longer than all the rest
        "parent": os.getppid(),
        "new_session": os.getsid(0) == os.getpid(),
    }
    launcher = socket.socket(socket.AF_UNIX)
    launcher.connect(address)
    send(launcher, request | surroundings, [0, 1, 2], ends_with_us=True)
    pid = receive_number(launcher)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    # Only the other process has the pipes: who waits for its end hears of it.
    os.closerange(0, 3)
    end(os.waitstatus_to_exitcode(receive_number(launcher)))


def end(status: int) -> None:
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def send(
    launcher: socket.socket,
    request: dict[str, object],
    streams: list[int],
    ends_with_us: bool = False,
) -> None:
    body = pickle.dumps(request)
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))
    launcher.sendmsg([HEAD.pack(len(body), ends_with_us)], [rights])
    launcher.sendall(body)


def receive_number(launcher: socket.socket) -> int:
    return NUMBER.unpack(launcher.recv(NUMBER.size, socket.MSG_WAITALL))[0]


if __name__ == "__main__":
    main()
