"""Fetches the weights of the local models and builds the web app before a wheel is built."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface):
    """Runs for wheels, which get the model files for every machine and the web app, and for
    editable installs, which get the model files for this machine. Existing files are kept."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        fetching = runpy.run_path(str(root / "tools" / "fetch_models.py"))
        weights = fetching["needed_here"]() if version == "editable" else fetching["WEIGHTS"]
        fetching["fetch"](root / "src" / "remem" / "models", weights)
        if version != "editable":
            self._build_web(root)

    def _build_web(self, root: Path) -> None:
        """Build the web app and the extension. Without Node the wheel is built without them; a
        failed build is an error."""
        building = runpy.run_path(str(root / "tools" / "build_web.py"))
        extension = runpy.run_path(str(root / "tools" / "build_extension.py"))
        try:
            building["build"](root)
            extension["build"](root)
        except building["NoNode"] as error:
            self.app.display_warning(f"The web app is not built, because Node is missing: {error}")
