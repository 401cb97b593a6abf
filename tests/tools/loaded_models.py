"""Models that every forked `remem` would load for itself are loaded once, before it is forked.

They have no threads, and what is forked shares their memory. Only those of the package are; from
another folder they are loaded as in the product."""

import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from remem.adapters.embedding import local as embedding
from remem.adapters.reader import local as reader
from remem.core.language import detect


def use_loaded_models() -> None:
    """In this process and those that are forked from it."""
    detect._identifier()
    minilm = Path(str(files("remem.models"))) / "minilm"
    interval = sys.getswitchinterval()
    embedding._load = _loaded_once(embedding._load, minilm, embedding.SWITCH_INTERVAL_S)
    sys.setswitchinterval(interval)
    reader.load = _loaded_once(reader.load, None, interval)


def _loaded_once(load: Callable[..., Any], folder: Path | None, interval: float) -> Any:
    """`interval` is what loading sets besides."""
    loaded = load(folder)

    def load_other(other: Path | None) -> Any:
        if other != folder:
            return load(other)
        sys.setswitchinterval(interval)
        return loaded

    return load_other
