"""The models of this machine: which names there are, and whether their files are here."""

from importlib.resources import files
from pathlib import Path

from remem.adapters.embedding.networks import MODELS, LocalModel, check_files
from remem.core.errors import CannotStart


def check_model(name: str | None) -> None:
    """Raise CannotStart if `REMEM_EMBEDDING_MODEL` names a model that is not on this machine."""
    if name is None:
        return
    kind = known_model(name)
    missing = [file for file in kind.files if not (folder_of(kind) / file).is_file()]
    if missing:
        here = " or ".join(model for model in MODELS if has_files(model))
        others = f", or set it to {here}" if here else ""
        raise CannotStart(
            f"REMEM_EMBEDDING_MODEL is {name}, but {folder_of(kind)} has no {missing[0]}: install"
            f" remem again with that model{others}."
        )


def known_model(name: str) -> LocalModel:
    if name not in MODELS:
        known = " or ".join(MODELS)
        raise CannotStart(
            f"REMEM_EMBEDDING_MODEL is {name}, which is no local model; set it to {known}."
        )
    return MODELS[name]


def folder_of(kind: LocalModel) -> Path:
    return Path(str(files("remem.models"))) / kind.folder


def has_files(name: str) -> bool:
    try:
        check_files(MODELS[name], folder_of(MODELS[name]))
    except CannotStart:
        return False
    return True
