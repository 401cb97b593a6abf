"""Whether the reader's weights are those that were shipped, without loading them."""

import hashlib
from importlib.resources import files
from pathlib import Path

# The model card names the same sums.
SHA256 = {
    "model.onnx": "cc0a0907e682c39c7300c28222189fc3f73710f9310389bf71827d8a19ee579a",
    "judge.onnx": "0d3af9a4a093f00a328d87dedf26ea1da8bf14ded466b68647c247c0ff04f272",
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
