"""Check the reader's weights without loading them."""

import hashlib
from importlib.resources import files
from pathlib import Path

# The model card lists the same checksums.
SHA256 = {
    "words.onnx": "25ae710cb288f799bcf0c1ea733b7141dc4e711467f59a02f9c9c37546e05377",
    "reader.onnx": "fb65daea1bd3003dec4b63a9ac7033f09e0dcf219489223c6c2c2c63acb98e80",
    "judge.onnx": "4b0ae292fb8fb7910717e95bc4e9fcbb06994597a30b2a7c75d55175762fc358",
}
TOKENIZER = "minilm/tokenizer.json"


def weights_problem(folder: Path | None = None) -> str | None:
    """Describe what is missing or damaged; None if the weights are complete."""
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
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
