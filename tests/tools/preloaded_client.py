"""A command for programs that start `remem` themselves: it passes its streams, working directory
and environment to a process of the launcher, and exits as that one does. Only the standard library
is imported.

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
# The length of the request, and whether the new process ends with the process that asked for it.
HEAD = struct.Struct("!i?")


def main() -> None:
    address, kind, program, *words = sys.argv[1:]
    request = {"kind": kind, "program": program, "words": words, "env": dict(os.environ)}
    context = {
        "cwd": os.getcwd(),  # noqa: PTH109 - to import pathlib takes longer than all the rest
        "parent": os.getppid(),
        "new_session": os.getsid(0) == os.getpid(),
    }
    launcher = socket.socket(socket.AF_UNIX)
    launcher.connect(address)
    send(launcher, request | context, [0, 1, 2], ends_with_us=True)
    pid = receive_number(launcher)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    # Leave the pipes to the other process alone, so that readers see when it closes them.
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
