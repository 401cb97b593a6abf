"""A rolling upgrade: an older commit keeps working while the current code starts on the same store.

    .venv/bin/python bench/roll.py [COMMIT] [--saves 40]

A server and a worker of the commit run on a fresh store. Then a server and a worker of this tree
start on the same store, which migrates the schema. Both servers save and recall in turn, and the
old processes are stopped. Every save must be found by both versions."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx2

ROOT = Path(__file__).parents[1]
# Build outputs, which are not in git.
BUILT = ("src/remem/models", "src/remem/web/dist")
STOP_TIMEOUT_S = 120


def check_out(commit: str, folder: Path) -> Path:
    archive = subprocess.run(
        ["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True
    )
    subprocess.run(["tar", "x", "-C", str(folder)], input=archive.stdout, check=True)
    for folder_name in BUILT:
        for path in (ROOT / folder_name).glob("*"):
            if not (folder / folder_name / path.name).exists():
                (folder / folder_name).mkdir(parents=True, exist_ok=True)
                (folder / folder_name / path.name).symlink_to(path)
    return folder / "src"


def start(source: Path, data_dir: Path, *words: str) -> subprocess.Popen[str]:
    env = {
        **os.environ,
        "PYTHONPATH": str(source),
        "REMEM_DATA_DIR": str(data_dir),
        "REMEM_RATE_LIMIT": "1000000",
        "REMEM_LOG_LEVEL": "error",
    }
    command = [sys.executable, "-m", "remem", *words]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(r"ready at (http://\S+)", line):
            return match[1]
    raise SystemExit("a server did not start")


def text(number: int) -> str:
    return f"Locker {number} opens with the word zq{number * 7919:x}."


def save(http: httpx2.Client, number: int) -> bool:
    reply = http.post("/v3/memory", json={"content": text(number)})
    if reply.status_code != 201:
        print("save", number, reply.status_code, reply.text[:200])
    return reply.status_code == 201


def finds(http: httpx2.Client, number: int) -> bool:
    """Whether the save is found by its word."""
    reply = http.post("/v3/recall", json={"query": f"zq{number * 7919:x}"})
    return reply.status_code == 200 and text(number) in reply.text


def roll(commit: str, saves: int) -> int:
    folder, data_dir = (Path(tempfile.mkdtemp(prefix=f"remem-{name}-")) for name in ("old", "data"))
    started: list[subprocess.Popen[str]] = []
    try:
        older = check_out(commit, folder)
        old = start(older, data_dir, "serve", "--no-worker", "--port", "0")
        old_url = address(old)
        started += [old, start(older, data_dir, "worker")]
        key = (data_dir / "owner.key").read_text().strip()
        headers = {"Authorization": f"Bearer {key}"}
        with httpx2.Client(base_url=old_url, headers=headers, timeout=60) as before:
            saved = [number for number in range(saves) if save(before, number)]
            new = start(ROOT / "src", data_dir, "serve", "--no-worker", "--port", "0")
            started += [new, start(ROOT / "src", data_dir, "worker")]
            with httpx2.Client(base_url=address(new), headers=headers, timeout=60) as after:
                for number in range(saves, 3 * saves):
                    saved += [number] if save((before, after)[number % 2], number) else []
                lost = [n for n in saved if not (finds(before, n) and finds(after, n))]
                for process in started[:2]:
                    process.terminate()
                    process.wait(timeout=STOP_TIMEOUT_S)
                lost += [n for n in range(3 * saves, 4 * saves) if not save(after, n)]
                lost += [number for number in saved if not finds(after, number)]
        print(json.dumps({"commit": commit, "saved": len(saved), "lost": len(lost)}))
        return len(lost) + 3 * saves - len(saved)
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(timeout=STOP_TIMEOUT_S)
        for path in (folder, data_dir):
            shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", nargs="?", default="HEAD~1")
    parser.add_argument("--saves", type=int, default=40)
    arguments = parser.parse_args()
    sys.exit(1 if roll(arguments.commit, arguments.saves) else 0)
