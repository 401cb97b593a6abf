"""The weights of an exported reader and its judge, to go on from."""

from pathlib import Path
from typing import Any

import numpy as np
from export import MODELS


def mean_weights(folders: list[tuple[Path, float]]) -> dict[str, np.ndarray]:
    """The mean of exported weights, each with its share."""
    weights = [(exported_weights(folder), share) for folder, share in folders]
    total = sum(share for _, share in weights)
    return {
        name: sum(share * one[name] for one, share in weights) / total for name in weights[0][0]
    }


def exported_weights(folder: Path) -> dict[str, np.ndarray]:
    words, reader, judge = (_constants(folder / name) for name in MODELS)
    both = words | reader
    state = {_name(name): _turned(name, value) for name, value in both.items() if _is_own(name)}
    for name, value in judge.items():
        if _is_own(name):
            state[_name(name).replace("layers.", "judging.")] = _turned(name, value)
    return state


def _constants(path: Path) -> dict[str, np.ndarray]:
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    kept = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    found = {name: value for name, value in kept.items() if not _is_quantized(name)}
    for name in kept:
        if name.endswith("_quantized"):
            found[name.removesuffix("_quantized")] = _whole(kept, name.removesuffix("_quantized"))
    return found


def _whole(kept: dict[str, np.ndarray], name: str) -> np.ndarray:
    zero = kept.get(f"{name}_zero_point", np.array(0))
    return (kept[f"{name}_quantized"].astype(np.float32) - zero) * kept[f"{name}_scale"]


def _is_quantized(name: str) -> bool:
    return name.endswith(("_quantized", "_scale", "_zero_point"))


def _is_own(name: str) -> bool:
    return name in ("words", "places", "kinds") or name.endswith((".w", ".b", ".g", ".s"))


def _name(name: str) -> str:
    if name in ("words", "places", "kinds"):
        return f"{name}.weight"
    part, _, kind = name.rpartition(".")
    return f"{part}.{'weight' if kind in 'wg' else 'bias'}"


def _turned(name: str, value: Any) -> np.ndarray:
    return value.T if name.endswith(".w") else value
