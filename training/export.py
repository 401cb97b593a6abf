"""Write the network as ONNX with int8 weights, in parts small enough to be sent back from a GPU.

python training/export.py --join .bench/reader/out src/remem/models/reader
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from graph import LAYERS, WIDTH, Graph, quantize, save, transformer_layer

MODELS = WORDS, READER, JUDGE = "words.onnx", "reader.onnx", "judge.onnx"
PART_BYTES = 15 << 20
CLOSED = -1e4
EXACT = ("relevance_in", "relevance_out", "relation_out", "span")


def build_words(weights: Mapping[str, np.ndarray], path: Path) -> None:
    """Write the embedding layer, which the reader and the judge share."""
    graph = Graph()
    graph.add("Identity", [_embedded(graph, weights)], "states")
    save(graph, "words", [_numbers("input_ids"), _numbers("token_type_ids")], [_states()], path)


def build_reader(weights: Mapping[str, np.ndarray], path: Path) -> None:
    """Write the reader without a mask: remem runs one pair at a time, also with the judge."""
    graph = Graph()
    states = _all_layers(graph, weights)
    _heads(graph, weights, states)
    places = ["batch", "length"]
    outputs = [_floats("relevance", ["batch"]), _floats("start", places), _floats("end", places)]
    save(graph, "reader", [_states(), _numbers("token_type_ids")], outputs, path)


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
    save(graph, "judge", [_states()], [_floats("relation", ["batch", 4])], path)


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


def write_models(weights: Mapping[str, np.ndarray], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    build_words(weights, folder / WORDS)
    for name, make in ((READER, build_reader), (JUDGE, build_judge)):
        whole = folder / f"{name}.fp32"
        make(weights, whole)
        quantize(whole, folder / name, EXACT)


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
