"""`make fuzz`: schemathesis with every check, against a server of its own that dials nobody.

python -m tests.fuzz.run                    # about ten minutes at the most
python -m tests.fuzz.run --seed 7 -n 100    # another sequence, with more of it
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2

from remem.surfaces.rest.v3.live import SECONDS_LIMIT
from tests.conftest import Server, start_server, stop_server
from tests.tools.folders import new_folder

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MAX_TIME_S = 600
SCHEMA_WITHIN_S = 120
OPERATOR_KEY = "the operator of a fuzzed server"


@contextmanager
def sealed_server() -> Iterator[tuple[Server, Path]]:
    """A server, and the file in which it records what it would have dialled."""
    folder = new_folder()
    record = folder / "dialled"
    server = start_server(
        folder / "store",
        module="tests.fuzz.sealed_server",
        REMEM_FUZZ_RECORD=str(record),
        REMEM_USER_RATE_LIMIT="1000000",
        REMEM_ADMIN_KEY=OPERATOR_KEY,
    )
    try:
        yield server, record
    finally:
        stop_server(server)
        shutil.rmtree(folder, ignore_errors=True)


def run_schemathesis(server: Server, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [
        *(sys.executable, "-m", "schemathesis.cli"),
        *("--config-file", str(HERE / "schemathesis.toml")),
        *("run", f"{server.url}/openapi.json", "--checks", "all", "--no-color", *arguments),
    ]
    environment = {
        **os.environ,
        "REMEM_FUZZ_URL": server.url,
        "REMEM_FUZZ_OPERATOR_KEY": OPERATOR_KEY,
        # To import where it is from would take the other process as long as two hundred requests.
        "REMEM_FUZZ_LONGEST_S": str(SECONDS_LIMIT),
        "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks",
        "PYTHONPATH": str(ROOT),
    }
    # Made for the first who asks, which on a busy machine takes longer than schemathesis waits.
    httpx2.get(f"{server.url}/openapi.json", timeout=SCHEMA_WITHIN_S).raise_for_status()
    return subprocess.run(command, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-n", "--max-examples", type=int, default=25)
    parser.add_argument("--max-time", type=int, default=MAX_TIME_S, help="seconds")
    given = parser.parse_args()
    arguments = ["--phases", "examples,coverage,fuzzing,stateful", "--seed", str(given.seed)]
    arguments += ["-n", str(given.max_examples), "--max-time", str(given.max_time)]
    with sealed_server() as (server, record):
        ended = run_schemathesis(server, arguments)
        fetches = record.read_text().splitlines() if record.exists() else []
    print(ended.stdout)
    print(f"{len(fetches)} pages would have been fetched; no address was dialled.")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
