"""The code in docs/python.md runs as it is printed, with no server, and prints what is printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def run(code: str, data_dir: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "REMEM_DATA_DIR": str(data_dir)}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )


def test_the_quickstart_runs_exactly_as_printed(data_dir: Path) -> None:
    code, printed = blocks("python")[0], blocks("text")[0]
    done = run(code, data_dir)
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed
    assert done.stderr == ""


def test_a_client_nobody_closes_leaves_no_database_behind(data_dir: Path) -> None:
    code = "from remem import Remem; print(Remem().save('Left open.').status)"
    done = run(code, data_dir)
    assert (done.stdout, done.stderr) == ("done\n", "")
    assert not list(data_dir.glob("**/postmaster.pid"))
