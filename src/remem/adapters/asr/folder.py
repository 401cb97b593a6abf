"""Check the folder of another speech model, before it is loaded for the first recording."""

import json
from pathlib import Path

from remem.core.errors import CannotStart

_FIX = (
    "set it to the folder of a Whisper model in CTranslate2's format (model.bin, tokenizer.json),"
    " or leave it out for the included one"
)
# CTranslate2 writes the kind of model into the first bytes of the file.
_KIND, _KIND_BYTES = b"WhisperSpec", 64


def check_folder(model: str | None) -> None:
    """Raise CannotStart if `REMEM_ASR_MODEL` is set and no folder with a speech model."""
    if model and (problem := _problem(Path(model).expanduser())):
        raise CannotStart(f"REMEM_ASR_MODEL is {model}, {problem}; {_FIX}.", code="asr_model")


def _problem(folder: Path) -> str | None:
    try:
        if not folder.is_dir():
            return "which is not a folder" if folder.exists() else "which does not exist"
        for name in ("model.bin", "tokenizer.json"):
            if not (folder / name).is_file():
                return f"which has no file {name}"
        return _damage(folder)
    except (OSError, ValueError) as error:
        return f"which cannot be read ({getattr(error, 'strerror', None) or error})"


def _damage(folder: Path) -> str | None:
    with (folder / "model.bin").open("rb") as file:
        if _KIND not in file.read(_KIND_BYTES):
            return "whose model.bin is no Whisper model in that format"
    try:
        json.loads((folder / "tokenizer.json").read_bytes())
    except ValueError:
        return "whose tokenizer.json is damaged"
    return None
