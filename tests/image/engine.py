"""Run containers with podman, in the way that works on this machine."""

import resource
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BUILD_TIMEOUT_S = 3_600
TIMEOUT_S = 300
PROCESSES = 4_096


class EngineFailed(Exception):
    """A command of podman failed; the message has its output."""


@dataclass(frozen=True)
class Engine:
    """`options` belong to podman itself, `limits` to what runs containers: `run` and `build`."""

    options: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    run_options: tuple[str, ...] = ()

    def __call__(self, *words: str | Path, timeout_s: float = TIMEOUT_S) -> str:
        process = self.attempt(*words, timeout_s=timeout_s)
        if process.returncode:
            said = (process.stdout + process.stderr)[-3_000:]
            raise EngineFailed(f"podman {' '.join(map(str, words))} failed:\n{said}")
        return process.stdout.strip()

    def attempt(
        self, *words: str | Path, timeout_s: float = TIMEOUT_S
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["podman", *self.options, *words],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return self.attempt("run", *self.limits, *self.run_options, *words)

    def build(self, context: Path, tag: str, arguments: Sequence[str | Path]) -> str:
        """Build with health checks, which the other format of images does not have."""
        return self(
            *("build", "--format", "docker", "--network", "host", "--tag", tag),
            *(*self.limits, *arguments, context),
            timeout_s=BUILD_TIMEOUT_S,
        )


def find_engine(base: str) -> Engine:
    """The first set of options with which a container starts here. Some virtual machines forbid
    raising limits, have groups of processes that only runc knows, or none."""
    open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    limits = ("--ulimit", f"nofile={open_files}:{open_files}", "--ulimit", f"nproc={PROCESSES}")
    runc = ("--runtime", "runc") if shutil.which("runc") else ()
    without_groups = ("--cgroups", "disabled")
    candidates = (
        Engine(),
        Engine(limits=limits),
        Engine(runc, limits),
        Engine((), limits, without_groups),
    )
    said = ""
    for engine in candidates:
        process = engine.run("--rm", "--network", "none", "--entrypoint", "true", base)
        if process.returncode == 0:
            return engine
        said += f"{engine}: {process.stderr.strip()}\n"
    raise EngineFailed(f"podman cannot start a container here:\n{said}")
