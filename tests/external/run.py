"""`make test-external`: run the tests on an ordinary PostgreSQL with pgvector, from Debian.

python -m tests.external.run                    # the folders of FOLDERS
python -m tests.external.run tests/core -k row  # the words of pytest
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tests.tools.debian import PROGRAMS, Debian, NotAvailable, find_debian
from tests.tools.external import VARIABLE
from tests.tools.local_program import free_port
from tests.tools.waiting import until

FOLDERS = ("tests/core", "tests/surfaces/rest", "tests/transfer", "tests/conformance")
PASSWORD = "p:4ss w%rd"
LOGIN = "operator"
# As different from the PostgreSQL that comes with remem as an ordinary one may be: words are sorted
# by a language, days begin elsewhere and are written otherwise, every login needs a password.
INITDB = (
    "--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=de-AT",
    "--auth=scram-sha-256", f"--username={LOGIN}",
)  # fmt: skip
SETTINGS = (
    "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300",
    "timezone=America/St_Johns", "datestyle=German, DMY", "intervalstyle=sql_standard",
    "fsync=off", "log_min_messages=fatal",
)  # fmt: skip


def main() -> int:
    try:
        debian = find_debian()
    except NotAvailable as reason:
        print(f"skipped: {reason}")
        return 0
    words = sys.argv[1:]
    if not any(Path(word.partition("::")[0]).exists() for word in words):
        words = [*FOLDERS, *words]
    with running_postgres(debian) as address:
        print(debian.run(f"{PROGRAMS}/postgres", "--version").strip(), flush=True)
        environment = {**os.environ, VARIABLE: address}
        return subprocess.run([sys.executable, "-m", "pytest", *words], env=environment).returncode


@contextmanager
def running_postgres(debian: Debian) -> Iterator[str]:
    """The address of a new PostgreSQL, which is removed at the end."""
    folder = debian.own(Path(tempfile.mkdtemp(prefix="remem-external-", dir="/var/tmp")))
    try:
        password = folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        data, port = folder / "data", free_port()
        debian.run(f"{PROGRAMS}/initdb", *INITDB, f"--pgdata={data}", f"--pwfile={password}")
        options = [word for setting in SETTINGS for word in ("-c", setting)]
        command = debian.command(f"{PROGRAMS}/postgres", "-D", data, "-p", str(port), *options)
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            ready = f"{PROGRAMS}/pg_isready"
            until(
                lambda: (
                    not subprocess.run(
                        debian.command(ready, "-q", "-h", "127.0.0.1", "-p", str(port))
                    ).returncode
                )
            )
            yield f"postgresql://{LOGIN}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
