"""A peer in a process of its own, far from home and from the network."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from peers.environment import BENCH
from peers.model import Asked, Text
from remem.core.language.stopwords import STOP_WORDS

PATIENCE_S = 900
QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "CHROMA_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "POSTHOG_DISABLED": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "OTEL_SDK_DISABLED": "true",
    "MCP_MDNS_ENABLED": "false",
}


class Failed(Exception):
    """A peer that could not do its job."""


def run_peer(
    python: Path, name: str, folder: Path, weights: Path, job: Mapping[str, Sequence[Text | Asked]]
) -> dict[str, Any]:
    results = {key: [asdict(one) for one in values] for key, values in job.items()}
    (folder / "stopwords").mkdir()
    (folder / "stopwords" / "english.txt").write_text("\n".join(sorted(STOP_WORDS["en"])))
    (folder / "job.json").write_text(json.dumps(results | {"weights": str(weights)}))
    _run([str(python), "-m", "peers.run", name, str(folder)], folder)
    answer = json.loads((folder / "answer.json").read_text())
    if "error" in answer:
        raise Failed(answer["error"])
    return answer


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, env=_surroundings(folder), cwd=folder, timeout=PATIENCE_S,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise Failed(f"not done after {PATIENCE_S} seconds.") from error
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])


def _surroundings(folder: Path) -> dict[str, str]:
    """Only what a process needs, a home that is thrown away, and every switch for silence."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(folder))
    return kept | homes | QUIET | {"PYTHONPATH": str(BENCH), "MEM0_DIR": str(folder / "mem0")}
