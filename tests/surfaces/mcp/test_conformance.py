"""The official conformance suite, run against the real endpoint with the suite's fixtures."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.folders import new_folder
from tests.tools.pinned import NODE, node_packages
from tests.tools.preloaded import remem_process

PINS = Path(__file__).parent / "pins"

# Tests of servers that keep a session between requests: questions to the client during a call, and
# updates of resources. Our servers keep none, so that any of them can answer. From 2026-07-28 on
# both work without a session, and pass.
NEEDS_SESSION = {
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "resources-subscribe",
    "resources-unsubscribe",
}
# Run by the suite but not part of its verdict: replaying a broken stream, and the extension for
# tasks, neither of which we implement.
NOT_OFFERED = {
    "2025-11-25": {"server-sse-polling"},
    "2026-07-28": {
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    },
}
PASSED = {"2025-11-25": 26, "2026-07-28": 41}
FAILED = {
    "2025-11-25": NEEDS_SESSION | NOT_OFFERED["2025-11-25"],
    "2026-07-28": NOT_OFFERED["2026-07-28"],
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    folder = str(new_folder())
    serving = remem_process(
        module="tests.surfaces.mcp.conformance.serving",
        cwd=Path(__file__).parents[3],
        env={**os.environ, "REMEM_DATA_DIR": folder, "REMEM_RATE_LIMIT": "1000000"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert serving.stdout is not None
    yield next(line.strip() for line in serving.stdout if line.startswith("http"))
    serving.terminate()
    serving.wait()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_conformance_suite(address: str, revision: str, tmp_path: Path) -> None:
    suite = node_packages(PINS) / "@modelcontextprotocol/conformance/dist/index.js"
    completed = subprocess.run(
        [str(NODE), str(suite), "server", "--url", address, "--requirements", revision],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    table = completed.stdout.partition("=== SUMMARY ===")[2].partition("Total:")[0].strip()
    print(f"\n{revision}\n{table}")
    failures = dict(re.findall(r"^(?:✓|✗) (\S+): \d+ passed, (\d+) failed", table, re.M))
    assert {name for name, failed in failures.items() if failed != "0"} == FAILED[revision]
    assert len(failures) - len(FAILED[revision]) == PASSED[revision], table
