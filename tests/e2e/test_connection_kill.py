"""Kill -9 during a sync by two workers, each a process of its own, on a real store."""

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench" / "connection_kill.py"
ITEMS = 120


def test_what_is_killed_in_the_middle_of_a_sync_loses_nothing_and_repeats_nothing() -> None:
    """`bench/connection_kill.py` does the same with 10,000 items, and measures memory."""
    command = [sys.executable, str(BENCH), "--items", str(ITEMS), "--kills", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3_000:]}"
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["counted"] == ITEMS and found["kills"] == 2
