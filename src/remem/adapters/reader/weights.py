"""Whether the reader's weights are those that were shipped, without loading them."""

import hashlib
from importlib.resources import files
from pathlib import Path

# The model card names the same sums.
SHA256 = {
    "model.onnx": "4a1ac8e72e048833792b6adbb57d03cb0bfdb90157029ee7cbad683599ff16af",
    "judge.onnx": "1fc8e905f390e93e3b75693566e43b980b8630098f402e3b642e424155cf7699",
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
