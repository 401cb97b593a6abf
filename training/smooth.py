"""Divide what a matrix multiplies by a number for each channel, and multiply the matrix by it: int8
rounds each input with one scale, and a few channels are much larger than the others."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

# How much of the difference between channels moves into the matrix: of 0 to 1, this loses least.
SHARE = 0.75
_SMALLEST = 1e-5


def smooth(path: Path, inputs: Iterable[dict[str, np.ndarray]], share: float = SHARE) -> None:
    """Change the unrounded network in the file; `inputs` are usual ones."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(path))
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    products = [
        node for node in model.graph.node if node.op_type == "MatMul" and node.input[1] in constants
    ]
    largest = _largest(model, sorted({node.input[0] for node in products}), inputs)
    nodes = list(model.graph.node)
    for node in products:
        matrix = numpy_helper.to_array(constants[node.input[1]])
        scale = _scale(largest[node.input[0]], np.abs(matrix).max(1), share)
        name = f"{node.input[1]}.smooth"
        constants[node.input[1]].CopyFrom(
            numpy_helper.from_array((matrix * scale[:, None]).astype(np.float32), node.input[1])
        )
        model.graph.initializer.append(
            numpy_helper.from_array((1 / scale).astype(np.float32), name)
        )
        divided = helper.make_node("Mul", [node.input[0], name], [f"{name}.out"], name=f"n_{name}")
        nodes.insert(nodes.index(node), divided)
        node.input[0] = f"{name}.out"
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _scale(inputs: np.ndarray, weights: np.ndarray, share: float) -> np.ndarray:
    inputs, weights = inputs.clip(_SMALLEST), weights.clip(_SMALLEST)
    scale = inputs**share / weights ** (1 - share)
    return scale / np.exp(np.log(scale).mean())


def _largest(
    model: object, names: list[str], inputs: Iterable[dict[str, np.ndarray]]
) -> dict[str, np.ndarray]:
    """The largest absolute value of each channel of the named states."""
    from onnx import ModelProto, TensorProto, helper
    from onnxruntime import InferenceSession

    shown = ModelProto()
    shown.CopyFrom(model)
    del shown.graph.output[:]
    shown.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names
    )
    session = InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])
    largest: dict[str, np.ndarray] = {}
    for given in inputs:
        for name, values in zip(names, session.run(names, given), strict=True):
            highest = np.abs(values).reshape(-1, values.shape[-1]).max(0)
            largest[name] = np.maximum(largest.get(name, highest), highest)
    return largest
