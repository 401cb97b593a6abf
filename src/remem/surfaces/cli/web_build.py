"""Whether the built web app is that of the sources next to it, in a clone of the repository."""

import runpy
from pathlib import Path

FIX = "run `make setup`"
_PACKAGE = Path(__file__).parents[2]


def web_app_problem(package: Path = _PACKAGE) -> str | None:
    """None if the web app is current, or if the package was installed without its sources."""
    root = package.parents[1]
    building = root / "tools" / "build_web.py"
    is_clone = package == root / "src" / "remem" and (root / "web" / "package.json").is_file()
    if not is_clone or not building.is_file():
        return None
    if not (package / "web" / "dist" / "index.html").is_file():
        return "not built yet"
    is_built = runpy.run_path(str(building))["is_built"](root)
    return None if is_built else "older than its sources"
