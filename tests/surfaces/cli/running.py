"""Run `remem` as a process: with pipes, or in its own terminal."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.tools.preloaded import remem_process, run_remem

LIMIT_S = 120
REMEM = [sys.executable, "-m", "remem"]


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str = ""


@dataclass(frozen=True)
class Shell:
    """A user's home and environment, isolated from those of the machine's own user."""

    home: Path
    environment: dict[str, str]

    def env(self, **more: str) -> dict[str, str]:
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("REMEM_", "XDG_", "CLAUDE", "CODEX", "CLINE"))
            and name not in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS")
        }
        own = {"HOME": str(self.home), "REMEM_CONFIG_DIR": str(self.home / "config")}
        return {**clean, **own, **self.environment, **more}

    def piped(self, *words: str, stdin: str | None = "", cwd: Path | None = None, **more: str):
        completed = run_remem(
            *words, env=self.env(**more), stdin=stdin, timeout=LIMIT_S, cwd=cwd or self.home
        )
        return Result(completed.returncode, completed.stdout, completed.stderr)

    @contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """Start a command, to communicate with it while it runs."""
        process = remem_process(
            *words,
            env=self.env(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.home,
        )
        with process:
            try:
                yield process
            finally:
                process.kill()

    def terminal(self, *words: str, answers: str = "", until: str = "", **more: str) -> Result:
        """Run in a terminal: type `answers` at once, and press Ctrl-C when `until` is printed."""
        leader, follower = pty.openpty()
        env = self.env(**{"TERM": "xterm-256color", "COLUMNS": "160", **more})
        process = remem_process(
            *words,
            env=env,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            cwd=self.home,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(follower)
        os.write(leader, answers.encode())
        output = _read(leader, until)
        os.close(leader)
        return Result(process.wait(LIMIT_S), output)


def _own_terminal() -> None:
    """Make it the controlling terminal, so that Ctrl-C reaches the process."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(leader: int, until: str) -> str:
    output, end, pressed = b"", time.monotonic() + LIMIT_S, not until
    while time.monotonic() < end:
        if not select.select([leader], [], [], 1)[0]:
            continue
        try:
            block = os.read(leader, 65_536)
        except OSError:
            # Linux raises this when the other side is closed.
            break
        if not block:
            break
        output += block
        if not pressed and until.encode() in output:
            os.write(leader, b"\x03")
            pressed = True
    return output.decode(errors="replace").replace("\r\n", "\n")
