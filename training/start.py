"""The weights of the English reader and its judge, as they were exported."""

from pathlib import Path
from typing import Any

import numpy as np

# The reader that had word vectors of its own.
_MODELS = ("words.onnx", "reader.onnx", "judge.onnx")


def exported_weights(folder: Path) -> dict[str, np.ndarray]:
    words, reader, judge = (_constants(folder / name) for name in _MODELS)
    both = words | reader
    state = {
        _name(name): _transposed(name, value) for name, value in both.items() if _is_weight(name)
    }
    for name, value in judge.items():
        if _is_weight(name):
            state[_name(name).replace("layers.", "judging.")] = _transposed(name, value)
    return state


def _constants(path: Path) -> dict[str, np.ndarray]:
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    constants = {name: value for name, value in arrays.items() if not _is_quantized(name)}
    for name in arrays:
        if name.endswith("_quantized"):
            constants[name.removesuffix("_quantized")] = _dequantized(
                arrays, name.removesuffix("_quantized")
            )
    return constants


def _dequantized(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    zero = arrays.get(f"{name}_zero_point", np.array(0))
    return (arrays[f"{name}_quantized"].astype(np.float32) - zero) * arrays[f"{name}_scale"]


def _is_quantized(name: str) -> bool:
    return name.endswith(("_quantized", "_scale", "_zero_point"))


def _is_weight(name: str) -> bool:
    return name in ("words", "places", "kinds") or name.endswith((".w", ".b", ".g", ".s"))


def _name(name: str) -> str:
    if name in ("words", "places", "kinds"):
        return f"{name}.weight"
    part, _, kind = name.rpartition(".")
    return f"{part}.{'weight' if kind in 'wg' else 'bias'}"


def _transposed(name: str, value: Any) -> np.ndarray:
    return value.T if name.endswith(".w") else value
