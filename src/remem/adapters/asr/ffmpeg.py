"""Find the ffmpeg program, which decodes video and phone recordings."""

import shutil

INSTALL_FFMPEG = (
    "install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; anywhere: "
    "pip install imageio-ffmpeg)"
)


def find_ffmpeg() -> str | None:
    """The ffmpeg program of this machine, or the one in the wheel imageio-ffmpeg."""
    if program := shutil.which("ffmpeg"):
        return program
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        return None
