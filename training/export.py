"""Write the network as ONNX with int8 weights, in parts small enough to be sent back from a GPU.

python training/export.py --join .bench/reader/out src/remem/models/reader
"""

import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, LAYERS, HEADS = 384, 6, 12
MODELS = WORDS, READER, JUDGE = "words.onnx", "reader.onnx", "judge.onnx"
PART_BYTES = 15 << 20
CLOSED = -1e4
EXACT = ("relevance_in", "relevance_out", "relation_out", "span")


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


def build_words(weights: Mapping[str, np.ndarray], path: Path) -> None:
    """Write the embedding layer, which the reader and the judge share."""
    graph = Graph()
    graph.add("Identity", [_embedded(graph, weights)], "states")
    _save(graph, "words", [_numbers("input_ids"), _numbers("token_type_ids")], [_states()], path)


def build_reader(weights: Mapping[str, np.ndarray], path: Path) -> None:
    """Write the reader without a mask: remem runs one pair at a time, also with the judge."""
    graph = Graph()
    states = _all_layers(graph, weights)
    _heads(graph, weights, states)
    places = ["batch", "length"]
    outputs = [_floats("relevance", ["batch"]), _floats("start", places), _floats("end", places)]
    _save(graph, "reader", [_states(), _numbers("token_type_ids")], outputs, path)


def build_judge(weights: Mapping[str, np.ndarray], path: Path) -> None:
    graph = Graph()
    own = {
        name.replace("judging.", "layers."): value
        for name, value in weights.items()
        if name.startswith(("judging.", "relation"))
    }
    states = _all_layers(graph, own)
    first = graph.add("Gather", [states, graph.constant("first", np.array(0, np.int64))], axis=1)
    known = graph.add("Tanh", [graph.linear(first, own, "relation_in")])
    graph.linear(known, own, "relation_out", "relation")
    _save(graph, "judge", [_states()], [_floats("relation", ["batch", 4])], path)


def _all_layers(graph: Graph, weights: Mapping[str, np.ndarray]) -> str:
    states = "states"
    for number in range(LAYERS):
        states = transformer_layer(graph, weights, f"layers.{number}", states)
    return states


def _states() -> Any:
    return _floats("states", ["batch", "length", WIDTH])


def _floats(name: str, shape: list[Any]) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _numbers(name: str) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])


def _save(graph: Graph, name: str, inputs: list[Any], outputs: list[Any], path: Path) -> None:
    import onnx
    from onnx import helper

    graph_proto = helper.make_graph(
        graph.nodes, name, inputs, outputs, list(graph.constants.values())
    )
    model = helper.make_model(graph_proto, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _embedded(graph: Graph, weights: Mapping[str, np.ndarray]) -> str:
    shape = graph.add("Shape", ["input_ids"], "shape")
    length = graph.add(
        "Gather", [shape, graph.constant("one", np.array([1], np.int64))], "length", axis=0
    )
    zero = graph.constant("zero", np.array([0], np.int64))
    places = graph.add(
        "Slice", [graph.constant("places", weights["places.weight"]), zero, length, zero]
    )
    words = _words(graph, weights["words.weight"])
    kinds = graph.add(
        "Gather",
        [graph.constant("kinds", weights["kinds.weight"]), "token_type_ids"],
        "embedded_kinds",
        axis=0,
    )
    return graph.norm(graph.add("Add", [graph.add("Add", [words, kinds]), places]), weights, "norm")


def _words(graph: Graph, vectors: np.ndarray) -> str:
    """The word vectors as int8 with a scale per word: with a single scale, only the longest vectors
    would stay distinguishable."""
    from onnx import TensorProto

    scale = np.abs(vectors).max(axis=1, keepdims=True).clip(min=1e-6) / 127
    quantized = np.round(vectors / scale).astype(np.int8)
    rows = graph.add("Gather", [graph.constant("words_quantized", quantized), "input_ids"], axis=0)
    scales = graph.constant("words_scale", scale.astype(np.float32))
    scaled = graph.add("Gather", [scales, "input_ids"], axis=0)
    return graph.add("Mul", [graph.add("Cast", [rows], to=TensorProto.FLOAT), scaled])


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


def _heads(graph: Graph, weights: Mapping[str, np.ndarray], states: str) -> None:
    """Add the heads for relevance and answers. An answer is in the second text; position 0 means
    that there is none."""
    from onnx import TensorProto, helper

    first = graph.add("Gather", [states, graph.constant("first", np.array(0, np.int64))], axis=1)
    relevance = graph.linear(
        graph.add("Tanh", [graph.linear(first, weights, "relevance_in")]), weights, "relevance_out"
    )
    one = graph.constant("one", np.array([1], np.int64))
    graph.add("Squeeze", [relevance, one], "relevance")
    shape = graph.add("Shape", ["token_type_ids"])
    length = graph.add("Gather", [shape, one], axis=0)
    ones = helper.make_tensor("v", TensorProto.FLOAT, [1], [1.0])
    kinds = graph.add("Cast", ["token_type_ids"], to=TensorProto.FLOAT)
    shut = graph.add("Sub", [graph.add("ConstantOfShape", [shape], value=ones), kinds])
    rest = graph.add("Concat", [one, graph.add("Sub", [length, one])], axis=0)
    after = graph.add("ConstantOfShape", [rest], value=ones)
    but_first = graph.add(
        "Concat", [graph.constant("zero_f", np.zeros((1, 1), np.float32)), after], axis=1
    )
    closed = graph.constant("closed", np.array(CLOSED, np.float32))
    penalty = graph.add("Mul", [graph.add("Mul", [shut, but_first]), closed])
    spans = graph.linear(states, weights, "span")
    for number, name in enumerate(("start", "end")):
        part = graph.add(
            "Gather", [spans, graph.constant(f"index_{number}", np.array(number, np.int64))], axis=2
        )
        graph.add("Add", [part, penalty], name)


def quantize(whole: Path, small: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(whole),
        str(small),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul"],
        nodes_to_exclude=[f"n_{name}.mm" for name in EXACT],
    )
    whole.unlink()


def write_models(weights: Mapping[str, np.ndarray], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    build_words(weights, folder / WORDS)
    for name, make in ((READER, build_reader), (JUDGE, build_judge)):
        whole = folder / f"{name}.fp32"
        make(weights, whole)
        quantize(whole, folder / name)


def write_parts(weights: Mapping[str, np.ndarray], folder: Path) -> Iterator[str]:
    """Write the models in parts; yield a line for each model."""
    write_models(weights, folder)
    for name in MODELS:
        path = folder / name
        content = path.read_bytes()
        for number in range(0, len(content), PART_BYTES):
            path.with_name(f"{path.name}.{number // PART_BYTES}").write_bytes(
                content[number : number + PART_BYTES]
            )
        path.unlink()
        yield f"{path.name}: {len(content):,} bytes"


def join(folder: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        parts = sorted(folder.glob(f"{name}.[0-9]"))
        (target / name).write_bytes(b"".join(part.read_bytes() for part in parts))


if __name__ == "__main__":
    _, flag, folder, target = sys.argv
    assert flag == "--join"
    join(Path(folder), Path(target))
