"""Read pictures on this machine, with the PP-OCR models in the wheel of rapidocr."""

import threading
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from remem.adapters.ocr.layout import Line, reading_order
from remem.adapters.ocr.picture import SIDE, split_into_strips
from remem.core.errors import CannotStart
from remem.core.extraction_ports import PictureText

if TYPE_CHECKING:
    from rapidocr import RapidOCR

# Paths are explicit, because rapidocr downloads models without one.
MODELS = {"Det": "PP-OCRv6_det_small.onnx", "Rec": "PP-OCRv6_rec_small.onnx"}
# Lines are detected in a smaller picture than they are read in, with a quarter of the memory.
DETECTOR_SIDE = 1_280
# A narrower picture is padded, because no lines are detected at its edges.
MAX_RATIO = 3
# Latin script, Chinese and Japanese score 0.95 to 1, Greek and Cyrillic letters read as others
# mostly less than 0.93.
MIN_SURE_SCORE, MAX_UNCLEAR_SHARE, MIN_WORDS_WIDTH = 0.93, 0.3, 4


class LocalOcr:
    """PP-OCRv6 small: print in Latin and Chinese scripts, and some handwriting."""

    def __init__(self, *, threads: int = 1, folder: Path | None = None) -> None:
        self._threads = threads
        self._folder = folder or Path(str(files("rapidocr"))) / "models"
        # One picture at a time: the engine keeps state, and this limits memory.
        self._lock = threading.Lock()
        self._engine: RapidOCR | None = None

    def read(self, image: bytes) -> PictureText:
        with self._lock:
            if self._engine is None:
                self._engine = _load(self._folder, self._threads)
            parts = [_read(self._engine, strip) for strip in split_into_strips(image)]
        text = "\n".join(part.text for part in parts if part.text)
        return PictureText(text, is_sure=all(part.is_sure for part in parts))


def _load(folder: Path, threads: int) -> "RapidOCR":
    # Imported here because it is slow to load.
    import cv2
    from rapidocr import RapidOCR

    for name in MODELS.values():
        if not (folder / name).is_file():
            raise CannotStart(f"The OCR model lacks {folder / name}; reinstall rapidocr.")
    cv2.setNumThreads(threads)
    return RapidOCR(
        params={
            **{f"{part}.model_path": str(folder / name) for part, name in MODELS.items()},
            "Global.log_level": "critical",
            "Global.max_side_len": SIDE,
            # The model for upside-down lines rotated one line in ten: CER 16 % instead of 0.6 %.
            "Global.use_cls": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": DETECTOR_SIDE,
            # A batch pads all lines to the widest: slower, and a third more memory.
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _read(engine: "RapidOCR", picture: Image.Image) -> PictureText:
    result = engine(_padded(picture))
    boxes, texts = getattr(result, "boxes", None), getattr(result, "txts", None)
    scores = getattr(result, "scores", None)
    if boxes is None or texts is None or scores is None:
        return PictureText("")
    lines = [_line(box, text) for box, text in zip(boxes, texts, strict=True)]
    # Shapes such as squares and bullets are read as signs; real text has a letter or a digit.
    shown = [line for line in lines if any(map(str.isalnum, line.text))]
    return PictureText(reading_order(shown), is_sure=not _is_unclear(lines, scores))


def _is_unclear(lines: Sequence[Line], scores: Sequence[float]) -> bool:
    """Whether much of the text is unlikely, or consists of signs between letters that the model
    does not know."""
    widths = [line.width for line in lines]
    unclear = (
        width
        for line, width, score in zip(lines, widths, scores, strict=True)
        if score < MIN_SURE_SCORE or _is_only_signs(line)
    )
    return sum(unclear) > MAX_UNCLEAR_SHARE * sum(widths)


def _is_only_signs(line: Line) -> bool:
    """Whether a line that is as long as several words has no letter or digit."""
    return line.width > MIN_WORDS_WIDTH * line.height and not any(map(str.isalnum, line.text))


def _line(box: np.ndarray, text: str) -> Line:
    (left, top), (right, bottom) = box.min(axis=0).tolist(), box.max(axis=0).tolist()
    return Line(left, top, right, bottom, text.strip())


def _padded(picture: Image.Image) -> Image.Image:
    min_side = max(picture.size) // MAX_RATIO
    if min(picture.size) >= min_side:
        return picture
    size = max(picture.width, min_side), max(picture.height, min_side)
    padded = Image.new("RGB", size, picture.getpixel((0, 0)))
    padded.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return padded
