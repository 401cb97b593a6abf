"""`make fuzz`: run schemathesis with every check against a server that opens no connections.

python -m tests.fuzz.run                    # at most about ten minutes
python -m tests.fuzz.run --seed 7 -n 100    # another seed, with more examples
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
SCHEMA_TIMEOUT_S = 120
OPERATOR_KEY = "the operator of a fuzzed server"


@contextmanager
def sealed_server() -> Iterator[tuple[Server, Path]]:
    """A server, and the file in which it records the connections it would have opened."""
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
        # Importing the module that defines it takes the other process as long as 200 requests.
        "REMEM_FUZZ_LONGEST_S": str(SECONDS_LIMIT),
        "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks",
        "PYTHONPATH": str(ROOT),
    }
    # The first request builds the schema; on a busy machine schemathesis would time out.
    httpx2.get(f"{server.url}/openapi.json", timeout=SCHEMA_TIMEOUT_S).raise_for_status()
    return subprocess.run(command, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-n", "--max-examples", type=int, default=25)
    parser.add_argument("--max-time", type=int, default=MAX_TIME_S, help="seconds")
    options = parser.parse_args()
    arguments = ["--phases", "examples,coverage,fuzzing,stateful", "--seed", str(options.seed)]
    arguments += ["-n", str(options.max_examples), "--max-time", str(options.max_time)]
    with sealed_server() as (server, record):
        result = run_schemathesis(server, arguments)
        fetches = record.read_text().splitlines() if record.exists() else []
    print(result.stdout)
    print(f"{len(fetches)} pages would have been fetched; no address was dialled.")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
