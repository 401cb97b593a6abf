"""ONNX graphs of transformer layers, with int8 weights."""

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, LAYERS, HEADS = 384, 6, 12


class Graph:
    """The nodes and constants of an ONNX graph, with generated names."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def constant(self, name: str, value: Any) -> str:
        from onnx import numpy_helper

        array = np.ascontiguousarray(value) if np.ndim(value) else np.asarray(value)
        self.constants.setdefault(name, numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, inputs: list[str], name: str = "", **attributes: Any) -> str:
        from onnx import helper

        output = name or f"{kind}_{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(kind, inputs, [output], name=f"n_{output}", **attributes)
        )
        return output

    def linear(
        self, states: str, weights: Mapping[str, np.ndarray], part: str, name: str = ""
    ) -> str:
        product = self.add(
            "MatMul",
            [states, self.constant(f"{part}.w", weights[f"{part}.weight"].T)],
            f"{part}.mm",
        )
        return self.add("Add", [product, self.constant(f"{part}.b", weights[f"{part}.bias"])], name)

    def norm(self, states: str, weights: Mapping[str, np.ndarray], part: str) -> str:
        scale = self.constant(f"{part}.g", weights[f"{part}.weight"])
        shift = self.constant(f"{part}.s", weights[f"{part}.bias"])
        return self.add("LayerNormalization", [states, scale, shift], axis=-1, epsilon=1e-12)


def transformer_layer(
    graph: Graph, weights: Mapping[str, np.ndarray], part: str, states: str
) -> str:
    split = graph.constant("split", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))

    def head(name: str, order: list[int]) -> str:
        made = graph.linear(states, weights, f"{part}.{name}")
        return graph.add("Transpose", [graph.add("Reshape", [made, split])], perm=order)

    scale = graph.constant("scale", np.array(1 / math.sqrt(WIDTH // HEADS), np.float32))
    product = graph.add("MatMul", [head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1])])
    share = graph.add("Softmax", [graph.add("Mul", [product, scale])], axis=-1)
    seen = graph.add(
        "Transpose", [graph.add("MatMul", [share, head("value", [0, 2, 1, 3])])], perm=[0, 2, 1, 3]
    )
    seen = graph.add("Reshape", [seen, graph.constant("join", np.array([0, 0, WIDTH], np.int64))])
    states = graph.norm(
        graph.add("Add", [states, graph.linear(seen, weights, f"{part}.joined")]),
        weights,
        f"{part}.norm_attention",
    )
    wide = graph.linear(states, weights, f"{part}.wide")
    root = graph.constant("root", np.array(1 / math.sqrt(2), np.float32))
    half = graph.constant("half", np.array(0.5, np.float32))
    curve = graph.add(
        "Add",
        [
            graph.add("Erf", [graph.add("Mul", [wide, root])]),
            graph.constant("one_f", np.array(1, np.float32)),
        ],
    )
    wide = graph.add("Mul", [graph.add("Mul", [wide, half]), curve])
    return graph.norm(
        graph.add("Add", [states, graph.linear(wide, weights, f"{part}.narrow")]),
        weights,
        f"{part}.norm_output",
    )


def save(graph: Graph, name: str, inputs: list[Any], outputs: list[Any], path: Path) -> None:
    import onnx
    from onnx import helper

    graph_proto = helper.make_graph(
        graph.nodes, name, inputs, outputs, list(graph.constants.values())
    )
    model = helper.make_model(graph_proto, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def quantize(whole: Path, small: Path, exact: Collection[str] = ()) -> None:
    """Write matrices as int8, but for the parts named as exact."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(whole),
        str(small),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul"],
        nodes_to_exclude=[f"n_{name}.mm" for name in exact],
    )
    whole.unlink()
