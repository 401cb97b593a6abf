"""The files of a data set."""

from pathlib import Path


def data_files(folder: Path) -> list[Path]:
    """Those that are there; without any, nothing can be measured."""
    found = sorted(folder.glob("*.json"))
    if not found:
        raise SystemExit(f"No data in {folder}: give the folder that has {folder.name} by --data.")
    return found
