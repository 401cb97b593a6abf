"""Whether the reader's weights are those that were shipped, without loading them."""

import hashlib
from importlib.resources import files
from pathlib import Path

# The model card names the same sums.
SHA256 = {
    "model.onnx": "71861a4f7e27a3436f06e3e5f03e46d06bfb0f10c064a632208fa47a372d568e",
    "judge.onnx": "3b6d99d18e073829e5532c35ca9ad9b6d154b32320983b003b1df36bf7850da5",
}
TOKENIZER = "minilm/tokenizer.json"


def weights_problem(folder: Path | None = None) -> str | None:
    """What is missing or damaged, if something is."""
    models = folder or Path(str(files("remem.models")))
    for name, expected in SHA256.items():
        file = models / "reader" / name
        if not file.is_file():
            return f"{file} is missing"
        if _sha256(file) != expected:
            return f"{file} is damaged"
    if not (models / TOKENIZER).is_file():
        return f"{models / TOKENIZER} is missing"
    return None


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
