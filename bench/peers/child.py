"""Runs a peer in its own process, with a temporary home folder and without the network."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from peers.environment import BENCH
from peers.model import PeerQuestion, Text
from remem.core.language.stopwords import STOP_WORDS

TIMEOUT_S = 900
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
    python: Path,
    name: str,
    folder: Path,
    weights: Path,
    job: Mapping[str, Sequence[Text | PeerQuestion]],
) -> dict[str, Any]:
    results = {key: [asdict(value) for value in values] for key, values in job.items()}
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
        process = subprocess.run(
            command, env=_surroundings(folder), cwd=folder, timeout=TIMEOUT_S,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise Failed(f"not done after {TIMEOUT_S} seconds.") from error
    if process.returncode:
        raise Failed(
            (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
        )


def _surroundings(folder: Path) -> dict[str, str]:
    """The minimal environment: a temporary home folder, and all telemetry switched off."""
    inherited = {
        name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ
    }
    homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(folder))
    return inherited | homes | QUIET | {"PYTHONPATH": str(BENCH), "MEM0_DIR": str(folder / "mem0")}
