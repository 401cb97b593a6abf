"""Load once, before forking, the models that every forked `remem` would load for itself.

They have no threads, and forked processes share their memory. This applies only to the models of
the package; models in another folder are loaded as in the product."""

import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from remem.adapters.embedding import local as embedding
from remem.adapters.embedding import networks
from remem.adapters.reader import local as reader
from remem.core.language import detect


def use_loaded_models() -> None:
    """Replace the loaders in this process and in those forked from it."""
    detect._identifier()
    kind = embedding.MODELS[embedding.DEFAULT_MODEL]
    folder = Path(str(files("remem.models"))) / kind.folder
    interval = sys.getswitchinterval()
    load = embedding.load_network
    embedding.load_network = _load_once(load, networks.SWITCH_INTERVAL_S, kind, folder)
    sys.setswitchinterval(interval)
    reader.load = _load_once(reader.load, interval, None)


def _load_once(load: Callable[..., Any], interval: float, *usual: Any) -> Any:
    """A loader that returns the same model each time that it is called with the `usual` arguments.
    `interval` is the switch interval that loading also sets."""
    model = load(*usual)

    def load_cached(*requested: Any) -> Any:
        if requested != usual:
            return load(*requested)
        sys.setswitchinterval(interval)
        return model

    return load_cached
