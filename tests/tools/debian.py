"""Programs of Debian that are too old or missing on this machine, in a folder made by debootstrap.

A program runs with its root in that folder, as an account of it, and sees the temporary folders,
processes and network of this machine. The mounts end with the program."""

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

RELEASE, VERSION = "trixie", "17"
FOLDER = Path("/var/tmp/remem-test-debian") / RELEASE
PROGRAMS = f"/usr/lib/postgresql/{VERSION}/bin"
PACKAGES = (
    f"postgresql-{VERSION}", f"postgresql-{VERSION}-pgvector", "patroni", "haproxy", "pgbouncer",
    "etcd-server", "python3-etcd",
)  # fmt: skip
ACCOUNT = "postgres"
SHARED = ("/tmp", "/var/tmp", "/dev", "/proc")
# Nothing is started when it is installed.
NO_SERVICES = "#!/bin/sh\nexit 101\n"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class NotAvailable(Exception):
    """The reason, in a few words."""


@dataclass(frozen=True)
class Debian:
    root: Path

    def command(self, *words: str | Path, account: str = ACCOUNT) -> list[str]:
        """A process started with it is the program itself: it can be stopped by its id."""
        mounts = "".join(
            f"mount --rbind {path} {shlex.quote(str(self.root))}{path} && " for path in SHARED
        )
        start = f'exec chroot --userspec={account} {shlex.quote(str(self.root))} "$@"'
        return ["unshare", "--mount", "sh", "-ec", mounts + start, "sh", *map(str, words)]

    def run(self, *words: str | Path, account: str = ACCOUNT) -> str:
        done = subprocess.run(
            self.command(*words, account=account), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{shlex.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout

    @property
    def uid(self) -> int:
        for line in (self.root / "etc/passwd").read_text().splitlines():
            name, _, uid, *_ = line.split(":")
            if name == ACCOUNT:
                return int(uid)
        raise LookupError(ACCOUNT)

    def own(self, folder: Path) -> Path:
        """Make a folder that the account may write to."""
        folder.mkdir(mode=0o755, exist_ok=True)
        os.chown(folder, self.uid, self.uid)
        return folder


def find_debian() -> Debian:
    """The folder is made once, in a few minutes."""
    if os.geteuid():
        raise NotAvailable("needs root")
    if not FOLDER.exists():
        _make()
    return Debian(FOLDER)


def _make() -> None:
    debootstrap = shutil.which("debootstrap", path=f"{os.environ['PATH']}:{PATH}")
    if debootstrap is None:
        raise NotAvailable("debootstrap is not installed")
    print(f"Making {FOLDER} of the packages of Debian {RELEASE}", flush=True)
    unfinished = FOLDER.with_name(f"{RELEASE}.{os.getpid()}")
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    try:
        _check([debootstrap, "--variant=minbase", RELEASE, str(unfinished)])
        services = unfinished / "usr/sbin/policy-rc.d"
        services.write_text(NO_SERVICES)
        services.chmod(0o755)
        install = "apt-get install -y -qq --no-install-recommends"
        script = f"apt-get update -qq && {install} {' '.join(PACKAGES)} && apt-get clean"
        environment = ["env", "DEBIAN_FRONTEND=noninteractive", f"PATH={PATH}", "sh", "-c", script]
        _check(Debian(unfinished).command(*environment, account="root"))
        unfinished.rename(FOLDER)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _check(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stdout + done.stderr).strip().splitlines()[-1:]
        raise NotAvailable(f"Debian's packages cannot be installed: {' '.join(output)}")
