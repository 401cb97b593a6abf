"""Who runs the server: ourselves, or an account without rights in the place of root."""

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
STAND_IN = "nobody"
CAPABILITY_BITS = {"dac_override": 1, "dac_read_search": 2}
READ, EXECUTE = 0o4, 0o1
HOW_TO_FIX = (
    "choose a REMEM_DATA_DIR, and an installation folder, that other accounts may pass through, "
    "or run remem as a normal user"
)


@dataclass(frozen=True, slots=True)
class Account:
    """`capability` lets it pass folders that only root may enter, such as /root."""

    uid: int
    gid: int
    capability: str | None = None

    @property
    def is_ours(self) -> bool:
        return self.uid == os.geteuid()

    def run(
        self, command: Sequence[str], *, folder: Path, output: int = subprocess.PIPE
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end in `folder`. Paths relative to it need no way in from above."""
        try:
            done = self._run(command, folder, output)
        except PermissionError as error:
            raise _refused(str(error)) from error
        if done.stderr.startswith("setpriv:"):
            raise _refused(done.stderr.strip())
        return done

    def own(self, folder: Path) -> None:
        """Make a folder of ours the account's own."""
        if self.is_ours:
            return
        try:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)
        except PermissionError as error:
            raise _refused(str(error)) from error

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
            # Ctrl-C is for us: a program that it ended would be taken for one that failed.
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
        # Without this bit access(2), by which PostgreSQL looks for itself, counts no capability.
        bits = ["--securebits", "+no_setuid_fixup"]
        return [_find("setpriv") or "setpriv", *identity, *rights, *bits, "--"]

    def _identity(self) -> dict[str, Any]:
        if self.is_ours or self.capability:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def new_account() -> Account:
    """Who is to own a cluster that is not made yet: ourselves, or root's stand-in."""
    return _stand_in() if os.geteuid() == 0 else Account(os.geteuid(), os.getegid())


def owner_account(cluster: Path) -> Account:
    """Who owns a cluster, and so is the only one that can run it."""
    owner = _owner(cluster)
    if owner.uid == 0:
        raise CannotStart(
            f"{cluster} belongs to root, which PostgreSQL refuses to run as; give it to the "
            f"account that is to run it: chown -R {NAME} {shlex.quote(str(cluster))}."
        )
    return owner


def refuse_foreign(cluster: Path) -> None:
    """Only root can run a cluster of another account."""
    owner = cluster.stat().st_uid
    if os.geteuid() not in (0, owner):
        raise CannotStart(
            f"{cluster} belongs to the account {_name_of(owner)}; run remem as that account, "
            "or choose another folder with REMEM_DATA_DIR."
        )


def with_passage(account: Account, places: Sequence[Path], program: Path) -> Account:
    """The account with the least capability it needs to get to the places and run the program."""
    if account.is_ours:
        return account
    wanted = _wanted_capabilities(account, places, program)
    if not wanted:
        return account
    allowed = [name for name in wanted if _permitted() >> CAPABILITY_BITS[name] & 1]
    if not allowed or _find("setpriv") is None:
        raise CannotStart(
            f"Root runs the database as the account {_name_of(account.uid)}, which may not reach "
            f"{' or '.join(map(str, places))}; {HOW_TO_FIX}."
        )
    return replace(account, capability=allowed[0])


def _owner(cluster: Path) -> Account:
    status = cluster.stat()
    try:
        return Account(status.st_uid, pwd.getpwuid(status.st_uid).pw_gid)
    except KeyError:
        return Account(status.st_uid, status.st_gid)


def _stand_in() -> Account:
    entry = _look_up(NAME) or _create() or _look_up(STAND_IN)
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


def _wanted_capabilities(account: Account, places: Sequence[Path], program: Path) -> list[str]:
    """In order of preference; searching and reading is enough, except to run a closed program."""
    if not _allows(program, account, EXECUTE):
        return ["dac_override"]
    shut = any(not _reaches(place, account) for place in places)
    return ["dac_read_search", "dac_override"] if shut else []


def _reaches(place: Path, account: Account) -> bool:
    above = all(_allows(parent, account, EXECUTE) for parent in place.parents)
    return above and (not place.exists() or _allows(place, account, READ))


def _allows(place: Path, account: Account, rights: int) -> bool:
    status = place.stat()
    shift = 6 if status.st_uid == account.uid else 3 if status.st_gid == account.gid else 0
    return (status.st_mode >> shift) & rights == rights


def _refused(why: str) -> CannotStart:
    return CannotStart(f"The database's programs cannot be run ({why}); {HOW_TO_FIX}.")


def _permitted() -> int:
    """Our capabilities as bits; none where the system does not know them."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1], 16) for line in lines if line.startswith("CapPrm:")), 0)


def _find(program: str) -> str | None:
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin:/sbin:/bin")


def _environment() -> dict[str, str]:
    """Ours, without the settings that would change what PostgreSQL does or the words it logs."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}
