"""A program on loopback that a test starts, stops and starts again."""

import socket
import subprocess
from dataclasses import dataclass, field

from tests.tools.waiting import until


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@dataclass
class LocalProgram:
    """`launch` starts the process; `start` also waits until its port answers."""

    port: int
    process: subprocess.Popen[bytes] | None = field(default=None, kw_only=True)

    def launch(self) -> subprocess.Popen[bytes]:
        raise NotImplementedError

    def start(self) -> None:
        self.process = self.launch()
        until(lambda: answers(self.port))

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait(timeout=60)
            self.process = None
