"""The account that runs the server: our own, or an unprivileged one if we are root."""

import os
import pwd
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from remem.core.errors import CannotStart

NAME = "remem"
FALLBACK_NAME = "nobody"
CAPABILITY_BITS = {"dac_override": 1, "dac_read_search": 2}
READ, EXECUTE = 0o4, 0o1
HOW_TO_FIX = (
    "choose a REMEM_DATA_DIR, and an installation folder, that other accounts may pass through, "
    "or run remem as a normal user"
)


@dataclass(frozen=True, slots=True)
class Account:
    """`capability` gives the account access to folders that only root may enter, such as /root."""

    uid: int
    gid: int
    capability: str | None = None

    @property
    def is_ours(self) -> bool:
        return self.uid == os.geteuid()

    def run(
        self, command: Sequence[str], *, folder: Path, output: int = subprocess.PIPE
    ) -> subprocess.CompletedProcess[str]:
        """Run a program in `folder` and wait. Relative paths need no access to parent folders."""
        try:
            completed = self._run(command, folder, output)
        except PermissionError as error:
            raise _cannot_run(str(error)) from error
        if completed.stderr.startswith("setpriv:"):
            raise _cannot_run(completed.stderr.strip())
        return completed

    def take_ownership(self, folder: Path) -> None:
        """Make the account the owner of one of our folders."""
        if self.is_ours:
            return
        try:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)
        except PermissionError as error:
            raise _cannot_run(str(error)) from error

    def _run(
        self, command: Sequence[str], folder: Path, output: int
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._prefix(), *command],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
            # Ctrl-C is meant for us: a program that it interrupted would count as failed.
            start_new_session=True,
            **self._identity(),
        )

    def _prefix(self) -> list[str]:
        if self.capability is None:
            return []
        capability = f"+{self.capability}"
        identity = [
            "--reuid",
            str(self.uid),
            "--regid",
            str(self.gid),
            "--clear-groups",
        ]
        rights = ["--inh-caps", capability, "--ambient-caps", capability, "--no-new-privs"]
        # Without this bit, access(2), which PostgreSQL uses, ignores capabilities.
        bits = ["--securebits", "+no_setuid_fixup"]
        return [_find("setpriv") or "setpriv", *identity, *rights, *bits, "--"]

    def _identity(self) -> dict[str, Any]:
        if self.is_ours or self.capability:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def new_account() -> Account:
    """The future owner of a new cluster: our account, or an unprivileged one if we are root."""
    return _unprivileged_account() if os.geteuid() == 0 else Account(os.geteuid(), os.getegid())


def owner_account(cluster: Path) -> Account:
    """The owner of a cluster, the only account that can run it."""
    owner = _owner(cluster)
    if owner.uid == 0:
        raise CannotStart(
            f"{cluster} belongs to root, which PostgreSQL refuses to run as; give it to the "
            f"account that is to run it: chown -R {NAME} {shlex.quote(str(cluster))}."
        )
    return owner


def refuse_foreign(cluster: Path) -> None:
    """Raise CannotStart for a cluster of another account, which only root can run."""
    owner = cluster.stat().st_uid
    if os.geteuid() not in (0, owner):
        raise CannotStart(
            f"{cluster} belongs to the account {_name_of(owner)}; run remem as that account, "
            "or choose another folder with REMEM_DATA_DIR."
        )


def with_access(account: Account, paths: Sequence[Path], program: Path) -> Account:
    """Add the least capability that the account needs to read the paths and run the program."""
    if account.is_ours:
        return account
    wanted = _wanted_capabilities(account, paths, program)
    if not wanted:
        return account
    allowed = [name for name in wanted if _permitted_capabilities() >> CAPABILITY_BITS[name] & 1]
    if not allowed or _find("setpriv") is None:
        raise CannotStart(
            f"Root runs the database as the account {_name_of(account.uid)}, which may not reach "
            f"{' or '.join(map(str, paths))}; {HOW_TO_FIX}."
        )
    return replace(account, capability=allowed[0])


def _owner(cluster: Path) -> Account:
    status = cluster.stat()
    try:
        return Account(status.st_uid, pwd.getpwuid(status.st_uid).pw_gid)
    except KeyError:
        return Account(status.st_uid, status.st_gid)


def _unprivileged_account() -> Account:
    entry = _look_up(NAME) or _create() or _look_up(FALLBACK_NAME)
    if entry is None:
        raise CannotStart(
            "Root needs an account without rights to run the database; "
            f"make one: useradd --system {NAME}."
        )
    return Account(entry.pw_uid, entry.pw_gid)


def _look_up(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _create() -> pwd.struct_passwd | None:
    useradd = _find("useradd")
    if useradd is None:
        return None
    options = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    subprocess.run([useradd, *options, NAME], capture_output=True, check=False)
    return _look_up(NAME)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _wanted_capabilities(account: Account, paths: Sequence[Path], program: Path) -> list[str]:
    """In order of preference: read access is enough, unless the program is not executable."""
    if not _has_mode(program, account, EXECUTE):
        return ["dac_override"]
    is_unreadable = any(not _can_read(path, account) for path in paths)
    return ["dac_read_search", "dac_override"] if is_unreadable else []


def _can_read(path: Path, account: Account) -> bool:
    parents_allow = all(_has_mode(parent, account, EXECUTE) for parent in path.parents)
    return parents_allow and (not path.exists() or _has_mode(path, account, READ))


def _has_mode(path: Path, account: Account, rights: int) -> bool:
    status = path.stat()
    shift = 6 if status.st_uid == account.uid else 3 if status.st_gid == account.gid else 0
    return (status.st_mode >> shift) & rights == rights


def _cannot_run(reason: str) -> CannotStart:
    return CannotStart(f"The database's programs cannot be run ({reason}); {HOW_TO_FIX}.")


def _permitted_capabilities() -> int:
    """Our capabilities as a bit mask; 0 on systems without capabilities."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1], 16) for line in lines if line.startswith("CapPrm:")), 0)


def _find(program: str) -> str | None:
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin:/sbin:/bin")


def _environment() -> dict[str, str]:
    """Our environment, without variables that change PostgreSQL's behaviour or log language."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))}
    return {**inherited, "LC_ALL": "C"}
