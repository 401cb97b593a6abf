"""Whether the reader's weights are those that were shipped, without loading them."""

import hashlib
from importlib.resources import files
from pathlib import Path

# The model card names the same sums.
SHA256 = {
    "model.onnx": "f3b3fa48ec36a9cbc25f9c3a88491b0681e451c90dbbf920c94a57ec2025a591",
    "judge.onnx": "89467c2c134861f861ada83dc8096ef07f7d147111895f4e7c6263618f555d6f",
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
