"""The import linter, loaded once: each check is a fork of the process that loaded it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

OUTPUT = "linted.txt"


class Linter:
    """A process that reads folders and reports for each whether its contracts are kept."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin and process.stdout
        self._requests: IO[str] = process.stdin
        self._answers: IO[str] = process.stdout

    def check(self, folder: Path) -> tuple[bool, str]:
        print(folder, file=self._requests, flush=True)
        passed = self._answers.readline() == "0\n"
        return passed, (folder / OUTPUT).read_text()


@contextmanager
def running() -> Iterator[Linter]:
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        env={**os.environ, "COLUMNS": "200"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Linter(process)
        assert process.stdin
        process.stdin.close()


def _lint(folder: Path) -> int:
    from importlinter.cli import lint_imports

    output = os.open(folder / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    # The cache holds the imports of each module, which are read again when the module changes.
    return lint_imports(cache_dir=str(folder / "read"), no_logo=True)


def main() -> None:
    import importlinter.cli  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            status = 1
            try:
                status = _lint(Path(line.rstrip("\n")))
                sys.stdout.flush()
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
