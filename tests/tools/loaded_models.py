"""Load once, before forking, the models that every forked `remem` would load for itself.

They have no threads, and forked processes share their memory. This applies only to the models of
the package; models in another folder are loaded as in the product."""

import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from remem.adapters.embedding import local as embedding
from remem.adapters.reader import local as reader
from remem.core.language import detect


def use_loaded_models() -> None:
    """Replace the loaders in this process and in those forked from it."""
    detect._identifier()
    minilm = Path(str(files("remem.models"))) / "minilm"
    interval = sys.getswitchinterval()
    embedding._load = _load_once(embedding._load, minilm, embedding.SWITCH_INTERVAL_S)
    sys.setswitchinterval(interval)
    reader.load = _load_once(reader.load, None, interval)


def _load_once(load: Callable[..., Any], folder: Path | None, interval: float) -> Any:
    """A loader that returns the same model each time. `interval` is the switch interval that
    loading also sets."""
    model = load(folder)

    def load_cached(requested: Path | None) -> Any:
        if requested != folder:
            return load(requested)
        sys.setswitchinterval(interval)
        return model

    return load_cached
