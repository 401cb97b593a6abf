"""Whether the packages of the image exist for 64-bit ARM too."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = "3.13"
# Debian 13 has glibc 2.41; pip takes each version of a platform's name literally.
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 42)] + ["manylinux2014_aarch64"]
DOWNLOAD_TIMEOUT_S = 900


def find_missing_wheels() -> str:
    """What pip says about a package without a wheel for ARM, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ffmpeg.lock"
        program.write_text(_lines_of("imageio-ffmpeg"))
        command = [
            *(sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"),
            *("--only-binary", ":all:", "--python-version", PYTHON, "--implementation", "cp"),
            *("--abi", f"cp{PYTHON.replace('.', '')}", "--abi", "abi3", "--abi", "none"),
            *(word for name in PLATFORMS for word in ("--platform", name)),
            *("--target", f"{folder}/none", "--require-hashes", "-r", program),
            *("-r", ROOT / "requirements.lock"),
        ]
        process = subprocess.run(
            command, capture_output=True, text=True, timeout=DOWNLOAD_TIMEOUT_S, check=False
        )
    return process.stderr[-1_000:] if process.returncode else ""


def _lines_of(package: str) -> str:
    lock = (ROOT / "requirements-dev.lock").read_text()
    match = re.search(rf"^{package}==[^\n]*(?:(?<=\\)\n[^\n]*)*", lock, re.M)
    assert match, f"{package} is not in requirements-dev.lock"
    return match.group() + "\n"
