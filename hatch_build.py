"""Puts the weights of the local models in place before a wheel is built."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WeightsHook(BuildHookInterface):
    """Runs for wheels, which get the files for every machine, and for editable installs, which get
    those for this one; the fetch is idle when all is there."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        fetching = runpy.run_path(str(root / "tools" / "fetch_models.py"))
        weights = fetching["needed_here"]() if version == "editable" else fetching["WEIGHTS"]
        fetching["fetch"](root / "src" / "remem" / "models", weights)
