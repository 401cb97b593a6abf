"""Check the reader's weights without loading them."""

import hashlib
from importlib.resources import files
from pathlib import Path

# The model cards list the same checksums, by folder.
SHA256 = {
    "reader": {
        "reader.onnx": "7ac6ed0f6ab12a4d75bb23567b652b07ea5c544737bb92b40fac197366753523",
        "judge.onnx": "86f79def7f714ba56cac2cbc8bccb8e8d2d307466a8dc2f49d8eb195e7df6e91",
    },
    "multilingual": {
        "words.npy": "f8170f76983a6db465eb1961f439e63e18121e6185c53f7c4e2a186ea2f36b35",
        "scales.npy": "878380e984dc3db547ce7cd5747ded1a414ae83f18bc92edc863b489ec2f0476",
        "tokenizer.json": "8203d665a5b0f51dca02ab47d819037aba91d7eca5146589f62d6bfff339286b",
    },
}


def weights_problem(folder: Path | None = None) -> str | None:
    """Describe what is missing or damaged; None if the weights are complete."""
    models = folder or Path(str(files("remem.models")))
    for part, sums in SHA256.items():
        for name, expected in sums.items():
            file = models / part / name
            if not file.is_file():
                return f"{file} is missing"
            if _sha256(file) != expected:
                return f"{file} is damaged"
    return None


def _sha256(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
