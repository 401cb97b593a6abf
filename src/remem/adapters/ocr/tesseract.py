"""Read pictures with the tesseract program."""

import os
import shutil
import subprocess

from PIL import Image

from remem.adapters.ocr.picture import split_into_strips, to_png
from remem.core.errors import CannotStart, Unreadable
from remem.core.extraction_ports import PictureText

TIMEOUT_S = 120


class TesseractOcr:
    """`languages` are tesseract's own names joined by plus signs: eng, or deu+eng."""

    def __init__(
        self, *, languages: str = "eng", program: str = "tesseract", timeout_s: float = TIMEOUT_S
    ) -> None:
        path = shutil.which(program)
        if path is None:
            raise CannotStart(
                "The tesseract program is not installed; install tesseract-ocr, or let the local "
                "models read pictures."
            )
        self._command = [path, "stdin", "stdout", "-l", languages]
        self._timeout_s = timeout_s

    def read(self, image: bytes) -> PictureText:
        parts = [self._read(strip) for strip in split_into_strips(image)]
        return PictureText("\n".join(part for part in parts if part))

    def _read(self, picture: Image.Image) -> str:
        try:
            completed = subprocess.run(
                self._command,
                input=to_png(picture),
                capture_output=True,
                timeout=self._timeout_s,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Unreadable(f"The picture could not be read in {self._timeout_s:g} s.") from None
        if completed.returncode:
            errors = completed.stderr.decode(errors="replace").strip().splitlines()
            raise Unreadable(
                f"tesseract could not read the picture: {errors[-1] if errors else '?'}."
            )
        return completed.stdout.decode(errors="replace").strip()
