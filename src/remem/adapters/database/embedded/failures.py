"""Explain why PostgreSQL failed, from its output, and what the user can do about it."""

import re
from dataclasses import dataclass
from pathlib import Path

from remem.core.errors import CannotStart

LAST_LINES = 6
OTHER_POSTGRESQL = (
    "install another one with pgvector (Debian 13: apt install postgresql-17-pgvector) and name it "
    "with REMEM_DATABASE_URL"
)
# Logged by the server each time we check whether it has recovered.
READINESS_CHECKS = (
    r"is starting up|not yet accepting connections|recovery state has not been yet reached"
)
STILL_ATTACHED = "pre-existing shared memory block"


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """A pattern in the log, and what to do about it."""

    pattern: str
    fix: str


# The first match wins, so more specific entries come first.
KNOWN_FAILURES = (
    KnownFailure(
        r"shared memory segment.*No space left on device",
        "Shared memory is full; enlarge /dev/shm (for a container --shm-size=256m), "
        "or end what fills it.",
    ),
    KnownFailure(
        r"No space left on device|Disk quota exceeded",
        "The disk of {folder} is full; free some space and start again: nothing is lost.",
    ),
    KnownFailure(
        STILL_ATTACHED,
        "Processes of a killed database server still use {folder}; end the old `postgres` "
        "processes and start again.",
    ),
    KnownFailure(
        r"shared memory|could not create semaphores|Cannot allocate memory|out of memory",
        "There is not enough memory to start the database; close other programs or raise the "
        "limit of memory and shared memory, then start again.",
    ),
    KnownFailure(
        r"Unix-domain socket|Unix address|\.s\.PGSQL\.",
        "The database cannot make its socket; choose a shorter REMEM_DATA_DIR on a disk of this "
        "machine, and see that /tmp is writable.",
    ),
    KnownFailure(
        r"No locks available|Operation not supported|Function not implemented",
        "The disk of {folder} has no file locks, as some network shares; choose a REMEM_DATA_DIR "
        "on a disk of this machine.",
    ),
    KnownFailure(
        r"wrong ownership|invalid permissions|Permission denied|not permitted|Read-only file",
        "The database may not read or write its own files; give {folder}/postgres back to the "
        "account that runs it (chown -R) and make it private (chmod 700), or choose another "
        "REMEM_DATA_DIR.",
    ),
    KnownFailure(
        r"initialized by PostgreSQL version|CATALOG_VERSION_NO",
        "The database in {folder} was written by another version of PostgreSQL; start it with the "
        "remem that wrote it, export, and import here.",
    ),
    KnownFailure(
        r"could not look up effective user ID",
        "This user id has no name on this machine, and PostgreSQL needs one to make a database; "
        "add it to /etc/passwd, or run remem as a named user.",
    ),
    KnownFailure(
        r"lock file .* already exists",
        "Another PostgreSQL server uses {folder}; stop it and start again.",
    ),
    KnownFailure(
        r"Illegal instruction",
        f"This processor cannot run the embedded PostgreSQL, which needs AVX2; {OTHER_POSTGRESQL}.",
    ),
    KnownFailure(
        r"PANIC:|incompatible with server|checksum|checkpoint record|pg_control|pg_filenode"
        r"|not a database cluster|magic number|invalid page|is missing"
        r"|could not (open|read|access|stat) (file|directory)",
        "The database in {folder} is damaged; restore {folder}/postgres from a copy, or move it "
        "away to begin with an empty one and import your last export.",
    ),
)


def explain(output: str, folder: Path) -> CannotStart:
    """The error to raise. `output` is the log of this start, or the output of a program."""
    details = {"log": last_lines(output)}
    for failure in KNOWN_FAILURES:
        if re.search(failure.pattern, output):
            return CannotStart(failure.fix.format(folder=folder), details=details)
    return CannotStart(
        f"The database did not start; its log is {folder}/postgres.log and ends: "
        f"{last_lines(output) or 'nothing was written'}",
        details=details,
    )


def last_lines(output: str) -> str:
    lines = (
        line
        for line in output.splitlines()
        if line.strip() and not re.search(READINESS_CHECKS, line)
    )
    return "\n".join(list(lines)[-LAST_LINES:])
