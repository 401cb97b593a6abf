"""The files of a data set."""

from pathlib import Path


def data_files(folder: Path) -> list[Path]:
    """The JSON files of a data set; exit if there are none."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise SystemExit(f"No data in {folder}: use --data with the folder that has {folder.name}.")
    return files
